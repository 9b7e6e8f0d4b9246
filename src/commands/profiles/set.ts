import { baseUrl } from '../../api/address.ts'
import { defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { configFolder } from '../../profiles/folders.ts'
import type { Profile } from '../../profiles/resolve.ts'
import { changeProfiles, profileOf } from '../../profiles/store.ts'
import { editing, typedProfile } from './edit.ts'

export default defineCommand({
  summary: 'Change a profile, or rotate its key',
  details:
    'A profile whose base URL moves to another host must be given a key for it: the old one stays where it belongs.',
  calls: [],
  args: { name: argument('NAME', 'the profile to change') },
  options: editing,
  examples: ['profiles set prod --project 43', 'profiles set prod --safety read-only'],
  async run({ name }, options, context) {
    const { host, messages } = context
    const changes = await typedProfile(context, options)
    if (Object.keys(changes).length === 0)
      throw new UsageError('Nothing to change was given', { hint: 'See analytics profiles set --help' })
    await changeProfiles(configFolder(host), host.clock, host.random, before => ({
      ...before,
      profiles: { ...before.profiles, [name]: changed(profileOf(before, name), changes) },
    }))
    messages.notice(`Changed profile ${name}`)
    return { text: '' }
  },
})

/** A key given one way takes the place of one given the other way. */
function changed(before: Profile, changes: Profile): Profile {
  const rekeyed = changes.apiKey !== undefined || changes.apiKeyCommand !== undefined
  const { apiKey, apiKeyCommand, ...rest } = before
  const moved = changes.baseUrl !== undefined && originOf(changes) !== originOf(before)
  if (moved && !rekeyed) {
    throw new UsageError('The key of this profile does not move to another host with it', {
      hint: 'Give the key for it too, with --api-key-stdin or --api-key-command',
    })
  }
  return { ...(rekeyed ? rest : before), ...changes }
}

function originOf(profile: Profile): string {
  return baseUrl(String(profile.baseUrl), true).origin
}
