/** Some servers repeat in a failure what they were sent. Secret fields of ours are taken out of it before it is worded. */
import { decode } from '../json/exact.ts'
import { secretFields } from './resources.ts'

/** Shorter ones would be found in words that have nothing to do with them. */
const shortest = 8

/** The text with `…` for each secret value of a body, plain or as JSON spells it. `body`: JSON text as it was sent. */
export function withoutSecrets(text: string, body: string | undefined): string {
  return secretsIn(body).reduce((rest, secret) => {
    const quoted = JSON.stringify(secret).slice(1, -1)
    const spellings = [secret, quoted, quoted.replaceAll('/', '\\/')]
    return spellings.reduce((before, spelling) => before.replaceAll(spelling, '…'), rest)
  }, text)
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
