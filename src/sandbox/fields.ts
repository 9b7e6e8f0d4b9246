import type { Resource } from '../api/resources.ts'
import { type Json, type JsonObject, memberOf } from '../json/exact.ts'
import { boolean, fieldProblem, type Kind } from '../values/kinds.ts'
import { type Call, invalid } from './call.ts'

/** `ignored`: fields of a PATCH that servers ignore, like unknown and read-only ones. Without it, those are refused. */
export function writableFields(call: Call, fields: Resource, ignored?: readonly string[]): JsonObject<Json> {
  const taken: [string, Json][] = []
  for (const [name, value] of Object.entries(call.body)) {
    const field = memberOf(fields, name)
    if (!field?.writable || ignored?.includes(name)) {
      if (ignored) continue
      throw invalid(name, field ? 'This field is read-only.' : 'Unknown field.')
    }
    if (value === null && !mayBeNull(name, field.kind)) throw invalid(name, 'This field may not be null.')
    const problem = value === null ? undefined : fieldProblem(name, field.kind, value)
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
