import { parseBaseUrl } from '../../api/base-url.ts'
import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { optionName } from '../../cli/options.ts'
import { besideKey, labelsBesideKey } from '../../config/access.ts'
import { configFolder } from '../../config/folders.ts'
import type { Profile } from '../../config/resolve.ts'
import { profileOf, readProfiles, refuseShared } from '../../config/store.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { isAttended } from './editing/ask.ts'
import { type Changes, changed, checkFiles, editing, typedChanges } from './editing/profile-options.ts'
import { save } from './editing/save.ts'

export default defineCommand({
  summary: 'Change a profile, or rotate its key',
  details:
    'An empty --project or --organization takes it away. If the base URL moves to another host, give a key for that host too: the old key does not go there. At a terminal a new base URL, key or project is checked on the service first. A key that the service refuses is asked for again; if something else is wrong, nothing is saved. In a script, and with --yes or --no-input, nothing is sent.',
  args: { name: argument('NAME', 'the profile to change') },
  options: editing,
  examples: [
    'profiles set prod --project 43 # Another project',
    'profiles set prod --safety read-only # Refuse every write from now on',
  ],
  async run({ name }, options, context) {
    const folder = configFolder(context.host)
    const known = profileOf(readProfiles(folder), name)
    let changes = await typedChanges(context, options)
    if (Object.keys(changes).length === 0)
      throw new UsageError('No changes given', { hint: 'See analytics profiles set --help' })
    refuseShared(folder)
    await checkFiles(moved(known, changes, context), changes, context)
    if (isAttended(context) && tried.some(setting => typeof changes[setting] === 'string')) {
      const { checkedProfile } = await import('./editing/check-on-service.ts')
      const asked = { key: options.apiKeyStdin, project: false }
      const { apiKey } = await checkedProfile(name, moved(known, changes, context), context, asked)
      if (asked.key) changes = { ...changes, apiKey }
    }
    return save(
      context,
      before => {
        const profile = moved(profileOf(before, name), changes, context)
        return { ...before, profiles: { ...before.profiles, [name]: profile } }
      },
      () => `Changed profile ${name}`,
    )
  },
})

const tried = ['baseUrl', 'project', 'apiKey', 'apiKeyCommand', 'headersFile', 'clientCert'] as const

/** A new key replaces a key command, and the reverse. Refuses to send a stored key, or what goes with it, to another host. */
function moved(before: Profile, changes: Changes, context: Context): Profile {
  const { apiKey, apiKeyCommand, ...rest } = before
  const keyed = changes.apiKey !== undefined || changes.apiKeyCommand !== undefined
  const after = changed(keyed ? rest : before, changes, context)
  if (originOf(before) === undefined || originOf(after) === originOf(before)) return after
  const stays = 'The base URL moves to another host, and the'
  if (!keyed && (apiKey ?? apiKeyCommand) !== undefined) {
    throw new UsageError(`${stays} key of this profile must not go there`, {
      hint: 'Give the key for it too, with --api-key-stdin or --api-key-command',
    })
  }
  const kept = besideKey.find(name => before[name] !== undefined && changes[name] === undefined)
  if (kept === undefined) return after
  throw new UsageError(`${stays} ${labelsBesideKey[kept]} of this profile must not go there`, {
    hint: `Give ${optionName(kept)} FILE for it too, or ${optionName(kept)} "" to leave it out`,
  })
}

function originOf({ baseUrl: url }: Profile): string | undefined {
  return url === undefined ? undefined : parseBaseUrl(url, true).origin
}
