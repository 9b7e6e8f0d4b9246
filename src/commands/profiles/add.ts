import { defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { configFolder } from '../../profiles/folders.ts'
import { configFile, readProfiles } from '../../profiles/store.ts'
import { askMissing, changed, editing, typedChanges } from './edit.ts'
import { checkName } from './name.ts'
import { save } from './save.ts'

export default defineCommand({
  summary: 'Keep a service, its key and a project under a name',
  details:
    'At a terminal it asks for what is missing. The key is never an option: it would stand in ps. The first profile added is the one in use.',
  calls: [],
  args: { name: argument('NAME', 'how the profile is called') },
  options: editing,
  examples: [
    'profiles add prod --base-url https://analytics.example.com --project 42',
    'profiles add ci --base-url https://analytics.example.com --api-key-command "op read op://ops/analytics/key" --safety no-delete',
  ],
  async run({ name }, options, context) {
    checkName(name)
    const folder = configFolder(context.host)
    const refuseTaken = (profiles: object) => {
      if (!Object.hasOwn(profiles, name)) return
      throw new UsageError(`There is a profile ${name} already`, {
        hint: `Change it with analytics profiles set ${name}`,
      })
    }
    refuseTaken(readProfiles(folder).profiles)
    const profile = await askMissing(changed({}, await typedChanges(context, options), context), context)
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
