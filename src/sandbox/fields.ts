import type { Fields } from '../api/resources.ts'
import { type Json, type JsonObject, memberOf } from '../json/exact.ts'
import { boolean, fieldProblem, type Kind } from '../values/kinds.ts'
import { type Call, invalid } from './call.ts'

interface Rules {
  readonly fields: Fields
  /** Accepted although the document does not list them for requests. */
  readonly also?: readonly string[]
  /** Servers ignore these in a PATCH, like unknown and read-only fields. */
  readonly ignored?: readonly string[] | undefined
}

export function writableFields(call: Call, { fields, also = [], ignored }: Rules): JsonObject<Json> {
  const taken: [string, Json][] = []
  for (const [name, value] of Object.entries(call.body)) {
    const field = memberOf(fields, name)
    if (ignored?.includes(name)) continue
    if (!field?.writable && !also.includes(name)) {
      if (ignored) continue
      throw invalid(name, field ? 'This field is read-only.' : 'Unknown field.')
    }
    if (value === null && field && !mayBeNull(name, field.kind)) throw invalid(name, 'This field may not be null.')
    const problem = value === null || !field ? undefined : fieldProblem(name, field.kind, value)
    if (problem) throw invalid(name, `This value ${problem}`.replace(/[^?]$/, '$&.'))
    taken.push([name, call.isObserved ? trimmed(value) : value])
  }
  return Object.fromEntries(taken)
}

function mayBeNull(name: string, kind: Kind<unknown>): boolean {
  return kind !== boolean && !kind.item && !['name', 'timezone', 'plugin_type'].includes(name)
}

function trimmed(value: Json): Json {
  if (Array.isArray(value)) return value.map(one => (typeof one === 'string' ? one.trim() : one))
  return typeof value === 'string' ? value.trim() : value
}
