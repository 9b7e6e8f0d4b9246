import type { Secrets } from '../secrets/secrets.ts'
import type { Response } from './message.ts'

/** The body stays: a success holds data, and the text of a failure is cleaned where it is worded. */
export function redact(response: Response, secrets: Secrets): Response {
  const { 'set-cookie': cookies = '', ...headers } = response.headers
  for (const [, value = ''] of cookies.matchAll(/(?:^|,)[^\S\n]*[^=;,\s]+=([^;\n]*)/gm)) {
    // A value may be quoted or hold commas, and a comma may also begin another cookie.
    for (const secret of [value, ...value.split(/[",=]/)]) secrets.addCookie(secret)
  }
  // Nearly all answers hold none, and looking once is enough.
  const all = Object.values(headers).join('\n')
  if (secrets.hide(all) === all) return { ...response, headers }
  return {
    ...response,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.hide(value)])),
  }
}
