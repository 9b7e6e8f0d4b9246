import { AuthError } from '../errors.ts'
import { isKey, type Secrets } from '../secrets/secrets.ts'
import { responseIn, type Send, shownAddress } from './message.ts'

interface Authority {
  readonly origin: string
  /** Asks where the key comes from, each time it is called. */
  readonly key: () => string | Promise<string>
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: Secrets
}

/** Keys that one request tries. */
const mostKeys = 3

/** Another origin must not get the key. At each 401 it is asked for again, once for all requests under way. */
export function authorize(next: Send, { origin, key, headers, secrets }: Authority): Send {
  let asked: Promise<string> | undefined
  const ask = async () => {
    const value = checked(await key())
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
      asked ??= ask()
      const used = asked
      const value = await used
      const all = { ...headers, ...request.headers, authorization: `Bearer ${value}` }
      const sent = await next({ ...request, headers: all })
      if (responseIn(sent)?.status !== 401 || tries === mostKeys) return sent
      if (asked === used) asked = ask()
      if ((await asked) === value) return sent
    }
  }
}

function checked(value: string): string {
  // Other characters could end the header line.
  if (!isKey(value)) {
    throw new AuthError('The key is empty or has characters that a key cannot have', {
      hint: 'Check the source of the key: it could have quotes or a second line',
    })
  }
  return value
}
