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
    if (json === 'null' && filled.includes(name)) throw invalid(name, 'This value may not be null.')
    const isChecked = field && json !== 'null'
    taken.set(name, isChecked ? read(call, { name, kind: field.kind, value: values[name], json }) : json)
  }
  return taken
}

interface Given {
  readonly name: string
  readonly kind: Kind<unknown>
  readonly value: unknown
  readonly json: string
}

/** Returns the JSON to store. */
function read({ dialect }: Call, { name, kind, value, json }: Given): string {
  const converted = dialect === 'observed' ? asServersRead(kind, value, json) : undefined
  const problem = fieldProblem(name, kind, converted ?? value)
  if (!problem) return converted === undefined ? json : JSON.stringify(converted)
  if (dialect === 'documented' || !isChoice(kind)) {
    throw invalid(name, `This value ${problem}`.replace(/[^?]$/, '$&.'))
  }
  throw invalid(name, `"${typeof value === 'string' ? value : json}" is not a valid choice.`, 'invalid_choice')
}

/** Time zones are choices too, but too many for `choices`. */
function isChoice(kind: Kind<unknown>): boolean {
  return kind.choices !== undefined || (kind.name === 'string' && kind !== text)
}

/** Servers convert texts, booleans and numbers, and trim texts, but not the names of choices; undefined for others. */
function asServersRead(kind: Kind<unknown>, value: unknown, json: string): unknown {
  if (kind.item?.name === 'string' && Array.isArray(value) && value.every(one => typeof one === 'string')) {
    return value.map(one => one.trim())
  }
  if (kind === boolean && (typeof value === 'string' || typeof value === 'number')) {
    if (/^(true|t|yes|y|on|1)$/i.test(String(value))) return true
    if (/^(false|f|no|n|off|0)$/i.test(String(value))) return false
  }
  if (kind.name === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (kind !== text) return undefined
  if (typeof value === 'string') return value.trim()
  return /^-?\d/.test(json) ? json : undefined
}
