import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import { configFile, readProfiles, refuseShared } from '../../config/store.ts'
import { UsageError } from '../../errors.ts'
import { changed, changesOf, editing, save } from './edit.ts'

export default defineCommand({
  summary: 'Keep a service, its key and a project under a name',
  details:
    'At a terminal it asks for base URL, key and project where they are missing, and tries them once: what the service refuses is not saved. In a script, and with --yes or --no-input, nothing is asked or sent. The key is never an option, because ps would show it. The first profile that is added is the one in use.',
  args: { name: argument('NAME', 'name of the profile') },
  options: editing,
  examples: [
    'profiles add prod --base-url https://a.example.com --project 42 # At a terminal: it asks for the key',
    'profiles add ci --base-url https://a.example.com --max-deletes 0 # One that may delete nothing',
  ],
  async run({ name }, options, context) {
    // Refuses a name that needs quotes or looks like an option or a path.
    if (!/^[\w][\w.@-]{0,63}$/.test(name) || name === '__proto__') {
      throw new UsageError(`${JSON.stringify(name)} cannot be the name of a profile`, {
        hint: 'Use letters, digits, dots, dashes and underscores',
      })
    }
    const folder = configFolder(context.host)
    const refuseTaken = (profiles: object) => {
      if (!Object.hasOwn(profiles, name)) return
      throw new UsageError(`There is a profile ${name} already`, {
        hint: `Change it with: analytics profiles set ${name}`,
      })
    }
    refuseTaken(readProfiles(folder).profiles)
    refuseShared(folder)
    const profile = changed({}, await changesOf(name, {}, options, context), context)
    return save(
      context,
      before => {
        refuseTaken(before.profiles)
        return { ...before, current: before.current ?? name, profiles: { ...before.profiles, [name]: profile } }
      },
      `Added profile ${name} to ${configFile(folder)}`,
    )
  },
})
