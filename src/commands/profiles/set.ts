import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import { profileOf, readProfiles, refuseShared } from '../../config/store.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { changed, changesOf, editing, save } from './edit.ts'

export default defineCommand({
  summary: 'Change a profile, or rotate its key',
  details:
    'The word none, as in --project none, takes a setting away; for --output give table. If the base URL moves to another host, give a key for that host too: the old key does not go there. At a terminal a new base URL, key or project is tried once: what the service refuses is not saved. In a script, and with --yes or --no-input, nothing is sent. Without options it removes from the profile what this version does not know.',
  args: { name: argument('NAME', 'the profile to change') },
  options: editing,
  examples: [
    'profiles set prod --project 43 # Another project',
    'profiles set prod --safety read-only # Refuse every write from now on',
  ],
  async run({ name }, options, context) {
    const folder = configFolder(context.host)
    const { baseUrl, project, organization, output } = context.config.typed
    const given = [baseUrl, project, organization, output, ...Object.values(options)]
    const isBare = given.every(value => value === undefined || value === false)
    if (isBare && isReadable(folder)) {
      throw new UsageError('No changes given', { hint: 'See analytics profiles set --help' })
    }
    const cleaned = isBare ? name : undefined
    const known = profileOf(readProfiles(folder, cleaned), name)
    refuseShared(folder)
    const changes = isBare ? {} : await changesOf(name, known, options, context)
    return save(
      context,
      before => {
        const now = profileOf(before, name)
        if (changes.baseUrl === undefined && now.baseUrl !== known.baseUrl) {
          throw new RefusedError(`Meanwhile somebody changed the base URL of profile ${name}`, {
            hint: 'A key or a project of one server is of no use to another; look at it and try again',
          })
        }
        const profile = changed(now, changes, context)
        return { ...before, profiles: { ...before.profiles, [name]: profile } }
      },
      isBare ? `Removed from profile ${name} what is not known` : `Changed profile ${name}`,
      cleaned,
    )
  },
})

function isReadable(folder: string): boolean {
  try {
    return Boolean(readProfiles(folder))
  } catch {
    return false
  }
}
