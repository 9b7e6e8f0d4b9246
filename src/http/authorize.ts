import { AuthError } from '../errors.ts'
import { collectAtMost } from '../files/read.ts'
import { isKey, type Secrets } from '../secrets/secrets.ts'
import { type Response, type Send, shownAddress } from './message.ts'

interface Authority {
  readonly origin: string
  readonly key: SharedKey
  /** For a proxy in front of the service. */
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: Secrets
}

export interface SharedKey {
  get(): Promise<string>
  /** Reads the key again, once for all requests that were refused with that one. */
  after(refused: Promise<string>): Promise<string>
}

/** Reads the key when it is first needed. Its value is secret from then on. */
export function sharedKey(read: () => Promise<string>, secrets: Secrets): SharedKey {
  let known: Promise<string> | undefined
  const readChecked = async () => {
    const value = checked(await read())
    secrets.add(value)
    return value
  }
  return {
    get: () => (known ??= readChecked()),
    after(refused) {
      if (known === refused) known = undefined
      return this.get()
    },
  }
}

/** Throws `AuthError` for a request to another origin, which must not get the key. After a 401 another key goes on. */
export function authorize(next: Send, { origin, key, headers, secrets }: Authority): Send {
  return async request => {
    if (request.url.origin !== origin) {
      throw new AuthError(`The key of ${origin} does not go to ${request.url.origin}`, {
        hint: 'Add a profile for the other server, with a key of its own',
        method: request.method,
        url: shownAddress(request.url),
      })
    }
    const sendWith = async (value: string) => {
      const all = { ...headers, ...request.headers, authorization: `Bearer ${value}` }
      return withoutSecrets(await next({ ...request, headers: all }), secrets)
    }
    const asked = key.get()
    const value = await asked
    const response = await sendWith(value)
    const fresh = response.status === 401 ? await key.after(asked) : value
    if (fresh === value) return response
    await collectAtMost(response.body, 0)
    return sendWith(fresh)
  }
}

function checked(value: string): string {
  // Other characters could end the header line.
  if (!isKey(value)) {
    throw new AuthError('The key is empty or holds characters that a key cannot have', {
      hint: 'Check where it comes from: it may have a line too many, quotes around it, or be something else',
    })
  }
  if (value.startsWith('phc_')) {
    throw new AuthError('The key is the token of a project (phc_…), which can only send events', {
      hint: 'Give a personal API key instead',
    })
  }
  return value
}

/** The body is unchanged: a success holds data, and the text of a failure is redacted where the message is made. */
function withoutSecrets(response: Response, secrets: Secrets): Response {
  const { 'set-cookie': _, ...headers } = response.headers
  // Nearly all answers contain no secret, so they are searched only once.
  const all = Object.values(headers).join('\n')
  if (secrets.hide(all) === all) return { ...response, headers }
  const hidden = Object.entries(headers).map(([name, value]) => [name, secrets.hide(value)])
  return { ...response, headers: Object.fromEntries(hidden) }
}
