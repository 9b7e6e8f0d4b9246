/** Some servers repeat the request in their error messages. */
import { decode } from '../json/exact.ts'
import { secretFields } from './resources.ts'

export function secretsIn(body: string | undefined): string[] {
  if (!body || !secretFields.some(name => body.includes(name))) return []
  const sent = decode(body)
  if (typeof sent !== 'object' || sent === null) return []
  return secretFields.flatMap(name => {
    const value = (sent as Readonly<Record<string, unknown>>)[name]
    return typeof value === 'string' ? [value] : []
  })
}
