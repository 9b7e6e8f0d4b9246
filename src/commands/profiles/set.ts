import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { configFolder } from '../../config/folders.ts'
import { profileOf, readProfiles, refuseShared } from '../../config/store.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { changesOf, editing, save, withChanges } from './edit.ts'

export default defineCommand({
  summary: 'Change a profile, or rotate its key',
  details:
    'The value none removes a setting, as in --project none. With a base URL on another host, give a new key too: the old key is never sent there. At a terminal a new base URL, key or project is tried once and saved only if it works. In a script, and with --yes or --no-input, nothing is sent. Without options it removes unknown settings from the profile.',
  args: { name: argument('NAME', 'name of the profile') },
  options: editing,
  examples: [
    'profiles set prod --project 43 # Change the project',
    'profiles set prod --safety read-only # Block all writes',
  ],
  async run({ name }, options, context) {
    const folder = configFolder(context.host)
    const { baseUrl, project, organization, output } = context.config.typed
    const { apiKeyStdin, ...settings } = options
    const given = [baseUrl, project, organization, output, ...Object.values(settings)]
    const isBare = !apiKeyStdin && given.every(value => value === undefined)
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
          throw new RefusedError(`The base URL of profile ${name} changed while the command ran`, {
            hint: 'Check it with analytics profiles show, then run the command again',
          })
        }
        const profile = withChanges(now, changes, context)
        return { ...before, profiles: { ...before.profiles, [name]: profile } }
      },
      isBare ? `Removed unknown settings from profile ${name}` : `Changed profile ${name}`,
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
