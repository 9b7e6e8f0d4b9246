import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import { configFile, readProfiles, refuseShared } from '../../config/store.ts'
import { changesOf, checkName, editing, refuseTaken, save, withChanges } from './edit.ts'

export default defineCommand({
  summary: 'Save a base URL, key and project under a name',
  details:
    'At a terminal it prompts for the base URL, key and project that are missing, and tries them once: a key that the service refuses is not saved. In a script, and with --yes or --no-input, it prompts for nothing and sends nothing. The key is never an option, because ps would show it. The first profile that you add is the one in use.',
  args: { name: argument('NAME', 'name of the profile') },
  options: editing,
  examples: [
    'profiles add prod --base-url https://a.example.com --project 42 # Prompt for the key',
    'profiles add ci --base-url https://a.example.com --max-deletes 0 # Allow no deletes',
  ],
  async run({ name }, options, context) {
    checkName(name)
    const folder = configFolder(context.host)
    refuseTaken(readProfiles(folder), name)
    refuseShared(folder)
    const profile = withChanges({}, await changesOf(name, {}, options, context), context)
    return save(
      context,
      before => {
        refuseTaken(before, name)
        return { current: before.current ?? name, profiles: { ...before.profiles, [name]: profile } }
      },
      `Added profile ${name} to ${configFile(folder)}`,
    )
  },
})
