import type { Secrets } from '../secrets/secrets.ts'
import type { Response } from './message.ts'

/** The body is unchanged: a success holds data, and the text of a failure is redacted where the message is made. */
export function redact(response: Response, secrets: Secrets): Response {
  const { 'set-cookie': cookies = '', ...headers } = response.headers
  for (const [, value = ''] of cookies.matchAll(/(?:^|,)[^\S\n]*[^=;,\s]+=([^;\n]*)/gm)) {
    // A value may be quoted or contain commas, and a comma may also start another cookie.
    for (const secret of [value, ...value.split(/[",=]/)]) secrets.addCookie(secret)
  }
  // Nearly all answers contain no secret, so they are searched only once.
  const all = Object.values(headers).join('\n')
  if (secrets.hide(all) === all) return { ...response, headers }
  return {
    ...response,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.hide(value)])),
  }
}
