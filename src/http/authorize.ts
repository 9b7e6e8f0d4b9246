import { AuthError } from '../errors.ts'
import type { Send } from './message.ts'
import { redact } from './redact.ts'

export interface Authority {
  /** The one origin that the key belongs to. */
  readonly origin: string
  /** Asked for once, with the first request. */
  readonly key: () => string | Promise<string>
}

/**
 * Adds the key as the service's document says: `Authorization: Bearer KEY`. A request to any other origin throws
 * `AuthError` and is not sent, whoever made it: not along a redirect, not along a `next` link. What is answered has
 * neither key nor cookies in it.
 */
export function authorize(next: Send, { origin, key }: Authority): Send {
  let known: Promise<string> | undefined
  return async request => {
    if (request.url.origin !== origin) {
      throw new AuthError(`The key of ${origin} does not go to ${request.url.origin}`, {
        hint: 'Add a profile for the other server, with a key of its own',
        method: request.method,
        url: request.url.origin + request.url.pathname,
      })
    }
    known ??= checked(key)
    const value = await known
    const response = await next({ ...request, headers: { ...request.headers, authorization: `Bearer ${value}` } })
    return redact(response, value)
  }
}

async function checked(key: Authority['key']): Promise<string> {
  const value = await key()
  // Anything else would end the header, or could not stand in one.
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw new AuthError('The key is empty or holds characters that a key cannot have', {
      hint: 'Check where it comes from: it may have a line too many, or be something else',
    })
  }
  return value
}
