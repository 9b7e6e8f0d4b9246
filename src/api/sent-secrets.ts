/** Some servers repeat in a failure what they were sent. Secret fields of ours are taken out of it before it is worded. */
import { decode } from '../json/exact.ts'
import { secretFields } from './resources.ts'

/** Shorter ones would be found in words that have nothing to do with them. */
const shortest = 8

/** The text with `…` for each secret value of a body, plain or as JSON may spell it. `body`: JSON text as it was sent. */
export function withoutSecrets(text: string, body: string | undefined): string {
  return secretsIn(body).reduce((rest, secret) => rest.replace(spellingsOf(secret), '…'), text)
}

/** Of each character itself, behind a backslash or not, its short form (`\n`) and its long one (`\u000a`): languages differ. */
function spellingsOf(secret: string): RegExp {
  const spelt = secret.split('').map(unit => {
    const long = hexOf(unit).replace(/[a-f]/g, digit => `[${digit}${digit.toUpperCase()}]`)
    const short = JSON.stringify(unit).at(-2) ?? unit
    return `(?:\\\\u${long}|\\\\?[\\u${hexOf(unit)}\\u${hexOf(short)}])`
  })
  return new RegExp(spelt.join(''), 'g')
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0')
}

function secretsIn(body: string | undefined): string[] {
  if (!body || !secretFields.some(name => body.includes(name))) return []
  const sent = decode(body)
  if (typeof sent !== 'object' || sent === null) return []
  return secretFields.flatMap(name => {
    const value = (sent as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' && value.length >= shortest ? [value] : []
  })
}
