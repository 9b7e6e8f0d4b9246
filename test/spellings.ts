/** The ways in which a service, or what stands before it, may write a secret that it was sent. */
const each = (text: string, write: (character: string, code: string) => string) =>
  Array.from(text, one => write(one, one.charCodeAt(0).toString(16).padStart(4, '0'))).join('')
const percent = (text: string) => each(text, (_, code) => `%${code.slice(2)}`)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const hexadecimal = (text: string) => Buffer.from(text).toString('hex')
const pieces = (text: string, length: number) =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length))
const quoted = (text: string) => JSON.stringify(text).slice(1, -1)
const odd = (text: string, write: (one: string) => string) =>
  [...text].map((one, i) => (i % 2 === 1 ? write(one) : one)).join('')

export const spellings: Readonly<Record<string, (secret: string) => string>> = {
  'as it is': secret => secret,
  'in capitals': secret => secret.toUpperCase(),
  'in small letters': secret => secret.toLowerCase(),
  'behind Bearer': secret => `Bearer ${secret}`,
  'in quotes': secret => `"${secret}"`,
  'as JSON': quoted,
  'with its slashes escaped': secret => secret.replaceAll('/', '\\/'),
  'with = as \\u003d': secret => secret.replaceAll('=', '\\u003d'),
  'with + as \\u002B': secret => secret.replaceAll('+', '\\u002B'),
  'all in \\u0070': secret => each(secret, (_, code) => `\\u${code}`),
  'half in \\u0070': secret => odd(secret, one => each(one, (_, code) => `\\u${code}`)),
  'all in \\\\u0070': secret => each(secret, (_, code) => `\\\\u${code.toUpperCase()}`),
  'all in \\x70': secret => each(secret, (_, code) => `\\x${code.slice(2)}`),
  'all in \\u{70}': secret => each(secret, (_, code) => `\\u{${code.replace(/^0+/, '')}}`),
  'each character behind a backslash': secret => each(secret, one => `\\${one}`),
  'JSON within JSON': secret => quoted(quoted(secret.replaceAll('/', '\\/'))),
  'percent-encoded where a URL needs it': encodeURIComponent,
  'percent-encoded where a form needs it': secret => new URLSearchParams({ k: secret }).toString().slice(2),
  'percent-encoded all': percent,
  'percent-encoded in capitals': secret => percent(secret).toUpperCase(),
  'percent-encoded twice': secret => percent(secret).replaceAll('%', '%25'),
  'percent-encoded three times': secret => percent(secret).replaceAll('%', '%2525'),
  'in Base64': base64,
  'in Base64 without padding': secret => base64(secret).replace(/=+$/, ''),
  'in Base64 for URLs': secret => Buffer.from(secret).toString('base64url'),
  'in Base64 behind one character': secret => base64(`:${secret}`),
  'in Base64 behind a user': secret => base64(`me:${secret}:`),
  'in Base64 behind Bearer': secret => base64(`Bearer ${secret}`),
  'in Base64, escaped for JSON': secret => base64(`x${secret}`).replaceAll('/', '\\/').replaceAll('=', '\\u003d'),
  'in Base64, percent-encoded': secret => encodeURIComponent(base64(`xy${secret}`)),
  'in hexadecimal': hexadecimal,
  'as a list of bytes': secret => [...Buffer.from(secret)].join(),
  'in HTML, by number': secret => each(secret, one => `&#${one.charCodeAt(0)};`),
  'in HTML, by number without a semicolon': secret => each(secret, one => `&#${one.charCodeAt(0)}`),
  'in HTML, by hexadecimal number': secret => each(secret, (_, code) => `&#x${code};`),
  'in HTML, by name': secret => secret.replaceAll('/', '&sol;').replaceAll('+', '&plus;').replaceAll('=', '&equals;'),
}

/** The same with something between its parts, as where lines are broken. */
export const brokenSpellings: Readonly<Record<string, (secret: string) => string>> = {
  'broken into lines': secret => pieces(secret, 5).join('\r\n'),
  'broken into lines, as JSON': secret => quoted(pieces(secret, 5).join('\n')),
  'broken into lines, in HTML': secret => pieces(secret, 5).join('&#10;'),
  'with spaces without width': secret => pieces(secret, 3).join('\u200b'),
  'with soft hyphens': secret => pieces(secret, 3).join('\u00ad'),
  'with hidden characters, percent-encoded': secret => encodeURIComponent(pieces(secret, 3).join('\u{e0020}')),
  'in Base64 in lines': secret => pieces(base64(`Bearer ${secret}`), 12).join('\n'),
  'in Base64 in lines, as JSON': secret => quoted(pieces(base64(`Bearer ${secret}`), 12).join('\r\n')),
  'in hexadecimal with colons': secret => pieces(hexadecimal(secret), 2).join(':'),
  'in hexadecimal with hyphens': secret => pieces(hexadecimal(secret), 2).join('-').toUpperCase(),
  'in hexadecimal with blanks, in lines': secret => pieces(pieces(hexadecimal(secret), 2).join(' '), 12).join('\n'),
  'as a list of bytes, in lines': secret => [...Buffer.from(secret)].join(',\n  '),
  'in hexadecimal as numbers': secret => `0x${pieces(hexadecimal(secret), 2).join(', 0x')}`,
}

/** What must not be left of a secret: its spelling without what the places beside it decide. */
export function coreOf(secret: string, spell: (secret: string) => string): string {
  return spell(secret).replace(/^(Bearer |")|"$/g, '')
}
