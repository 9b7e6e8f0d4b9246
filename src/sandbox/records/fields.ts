import type { Fields } from '../../api/resources.ts'
import { fieldProblem } from '../../json/problem.ts'
import { boolean, type Kind, text } from '../../values/kinds.ts'
import { type Call, invalid, type RequestBody } from '../call.ts'
import type { Members } from '../members.ts'

interface Rules {
  readonly fields: Fields
  /** Null is refused. */
  readonly filled: readonly string[]
  /** Accepted although the document does not list them for requests. */
  readonly also: readonly string[]
}

/** The document refuses unknown fields, servers ignore them; both refuse a wrong type. */
export function writableFields(call: Call, { members, values }: RequestBody, { fields, filled, also }: Rules): Members {
  const taken: Members = new Map()
  for (const [name, json] of members) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field?.writable && !also.includes(name)) {
      if (call.dialect === 'observed') continue
      throw field
        ? invalid(name, 'This field is read-only.', 'read_only')
        : invalid(name, 'Unknown field.', 'unknown_field')
    }
    const observed = call.dialect === 'observed' && field ? asServersRead(field.kind, values[name], json) : undefined
    const problem =
      json === 'null'
        ? nullProblem(name, filled)
        : field && fieldProblem(name, field.kind, observed?.value ?? values[name])
    if (problem && call.dialect === 'observed' && field && isChoice(field.kind) && json !== 'null') {
      throw invalidChoice(name, values[name], json)
    }
    if (problem) throw invalid(name, `This value ${problem}`.replace(/[^?]$/, '$&.'))
    taken.set(name, observed?.json ?? json)
  }
  return taken
}

/** Time zones are choices too, but too many for `choices`. */
function isChoice(kind: Kind<unknown>): boolean {
  return kind.choices !== undefined || (kind.name === 'string' && kind !== text)
}

/** Servers convert texts, booleans and numbers, and trim texts, but not the names of choices. */
function asServersRead(
  kind: Kind<unknown>,
  value: unknown,
  json: string,
): { value: unknown; json: string } | undefined {
  const written = (read: unknown) => ({ value: read, json: JSON.stringify(read) })
  if (kind.item?.name === 'string' && Array.isArray(value) && value.every(one => typeof one === 'string')) {
    return written(value.map(one => one.trim()))
  }
  if (kind === boolean && (typeof value === 'string' || typeof value === 'number')) {
    if (/^(true|t|yes|y|on|1)$/i.test(String(value))) return written(true)
    if (/^(false|f|no|n|off|0)$/i.test(String(value))) return written(false)
  }
  if (kind.name === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return written(Number(value))
  if (kind !== text) return undefined
  if (typeof value === 'string') return written(value.trim())
  return /^-?\d/.test(json) ? written(json) : undefined
}

function invalidChoice(name: string, value: unknown, json: string) {
  return invalid(name, `"${typeof value === 'string' ? value : json}" is not a valid choice.`, 'invalid_choice')
}

function nullProblem(name: string, filled: readonly string[]): string | undefined {
  return filled.includes(name) ? 'may not be null' : undefined
}
