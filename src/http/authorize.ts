import { AuthError } from '../errors.ts'
import { isKey, type Secrets } from '../secrets/secrets.ts'
import { type Response, type Send, shownAddress } from './message.ts'

interface Authority {
  readonly origin: string
  readonly key: () => string | Promise<string>
  /** For a proxy in front of the service. */
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: Secrets
}

/** Throws `AuthError` for a request to another origin, which must not get the key. */
export function authorize(next: Send, { origin, key, headers, secrets }: Authority): Send {
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
    const all = { ...headers, ...request.headers, authorization }
    return withoutSecrets(await next({ ...request, headers: all }), secrets)
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
  if (value.startsWith('phc_')) {
    throw new AuthError('The key is the token of a project (phc_…), which can only send events', {
      hint: 'Give a personal API key instead',
    })
  }
  return value
}

/** The body is unchanged: a success holds data, and the text of a failure is redacted where the message is made. */
function withoutSecrets(response: Response, secrets: Secrets): Response {
  const { 'set-cookie': cookies = '', ...headers } = response.headers
  for (const [, value = ''] of cookies.matchAll(/(?:^|,)[^\S\n]*[^=;,\s]+=([^;\n]*)/gm)) {
    // A value may be quoted or contain commas, and a comma may also start another cookie.
    for (const secret of [value, ...value.split(/[",=]/)]) secrets.addPassing(secret)
  }
  // Nearly all answers contain no secret, so they are searched only once.
  const all = Object.values(headers).join('\n')
  if (secrets.hide(all) === all) return { ...response, headers }
  const hidden = Object.entries(headers).map(([name, value]) => [name, secrets.hide(value)])
  return { ...response, headers: Object.fromEntries(hidden) }
}
