import type { Context } from '../../../cli/command.ts'
import { UsageError } from '../../../errors.ts'
import type { Profile } from '../../../profiles/resolve.ts'
import { parseUrl } from '../../../values/url.ts'
import { askKey, askUntil, mayAsk } from './ask.ts'
import { changed } from './profile-options.ts'

export async function askMissing(profile: Profile, context: Context): Promise<Profile> {
  const keyed = profile.apiKey !== undefined || profile.apiKeyCommand !== undefined
  if (profile.baseUrl !== undefined && keyed) return profile
  if (!mayAsk(context)) {
    throw profile.baseUrl === undefined
      ? new UsageError('A profile needs a base URL', { hint: 'Give --base-url' })
      : new UsageError('A profile needs a key', { hint: 'Give --api-key-stdin or --api-key-command' })
  }
  const addressed =
    profile.baseUrl === undefined
      ? await askUntil(context, 'Base URL: ', typed => changed(profile, { baseUrl: address(typed) }, context))
      : profile
  return keyed ? addressed : { ...addressed, apiKey: await askKey(context) }
}

/** The message does not repeat the text, which may be the key. */
function address(typed: string): string {
  if (parseUrl(typed)) return typed
  throw new UsageError('That is not a base URL', { hint: 'Give one such as https://analytics.example.com' })
}
