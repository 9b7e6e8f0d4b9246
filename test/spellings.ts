/** The ways in which a service may write a secret that it was sent, and in which it is hidden: tests look for each. */
const each = (text: string, write: (code: string) => string) =>
  Array.from(text, one => write(one.charCodeAt(0).toString(16).padStart(4, '0'))).join('')
const percent = (text: string) => [...Buffer.from(text)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const quoted = (text: string) => JSON.stringify(text).slice(1, -1)

export const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': secret => secret,
  'behind Bearer': secret => `Bearer ${secret}`,
  'as JSON': quoted,
  'with its slashes escaped': secret => secret.replaceAll('/', '\\/'),
  'with = as \\u003d': secret => secret.replaceAll('=', '\\u003d'),
  'all in \\u0070': secret => each(secret, code => `\\u${code}`),
  'percent-encoded where a URL needs it': encodeURIComponent,
  'percent-encoded all': percent,
  'percent-encoded in capitals': secret => percent(secret).toUpperCase(),
  'in Base64': base64,
  'in Base64 without padding': secret => base64(secret).replace(/=+$/, ''),
  'in Base64 for URLs': secret => Buffer.from(secret).toString('base64url'),
  'in Base64 behind one character': secret => base64(`:${secret}`),
  'in Base64 behind a user': secret => base64(`me:${secret}:`),
}

/** Whether a text holds the secret in one of these. */
export function holdsSecret(text: string, secret: string): boolean {
  return Object.values(spellings).some(spell => text.includes(spell(secret)))
}
