import { AuthError } from '../errors.ts'
import { isKey, type Secrets } from '../secrets/secrets.ts'
import { responseIn, type Send, shownAddress } from './message.ts'

interface Authority {
  readonly origin: string
  /** Reads the key from its source each time it is called. */
  readonly key: () => string | Promise<string>
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: Secrets
}

const mostKeysTried = 3

/** Sends the key to its origin only. Each 401 reads the key again, once for all requests under way. */
export function authorize(next: Send, { origin, key, headers, secrets }: Authority): Send {
  let current: Promise<string> | undefined
  const readKey = async () => {
    const value = await key()
    // Other characters could end the header line.
    if (!isKey(value)) {
      throw new AuthError('The key is empty or has characters that a key cannot have', {
        hint: 'Check the source of the key: it could have quotes or a second line',
      })
    }
    secrets.add(value)
    return value
  }
  return async request => {
    if (request.url.origin !== origin) {
      throw new AuthError(`The key of ${origin} is not sent to ${request.url.origin}`, {
        hint: 'Add a profile with its own key for that server',
        method: request.method,
        url: shownAddress(request.url),
      })
    }
    for (let tries = 1; ; tries++) {
      current ??= readKey()
      const used = current
      const value = await used
      const all = { ...headers, ...request.headers, authorization: `Bearer ${value}` }
      const sent = await next({ ...request, headers: all })
      if (responseIn(sent)?.status !== 401 || tries === mostKeysTried) return sent
      if (current === used) current = readKey()
      if ((await current) === value) return sent
    }
  }
}
