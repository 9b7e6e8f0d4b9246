import { AuthError } from '../errors.ts'
import { isKey } from '../secrets/key-text.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type Send, shownAddress } from './message.ts'
import { redact } from './redact.ts'

interface Authority {
  readonly origin: string
  readonly key: () => string | Promise<string>
  readonly secrets: Secrets
}

/** Throws `AuthError` for a request to another origin, which must not get the key. */
export function authorize(next: Send, { origin, key, secrets }: Authority): Send {
  let known: Promise<string> | undefined
  let authorization: string | undefined
  return async request => {
    if (request.url.origin !== origin) {
      throw new AuthError(`The key of ${origin} does not go to ${request.url.origin}`, {
        hint: 'Add a profile for the other server, with a key of its own',
        method: request.method,
        url: shownAddress(request.url),
      })
    }
    if (authorization === undefined) {
      known ??= checked(key)
      const value = await known
      secrets.add(value)
      authorization = `Bearer ${value}`
    }
    return redact(await next({ ...request, headers: { ...request.headers, authorization } }), secrets)
  }
}

async function checked(key: Authority['key']): Promise<string> {
  const value = await key()
  // Other characters could end the header line.
  if (!isKey(value)) {
    throw new AuthError('The key is empty or holds characters that a key cannot have', {
      hint: 'Check where it comes from: it may have a line too many, quotes around it, or be something else',
    })
  }
  return value
}
