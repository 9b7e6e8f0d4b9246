/** Fields of a body against the rows of a resource, for the objects that are kept as a record. */
import type { Resource } from '../api/resources.ts'
import { problemOf } from '../json/problem.ts'
import { type Body, type Call, invalid } from './call.ts'
import type { Members } from './members.ts'

export interface Rules {
  /** Fields that must hold a value. */
  readonly filled?: readonly string[]
  /** Fields that are taken although the service's document does not list them for requests. */
  readonly also?: readonly string[]
}

/**
 * The fields of a body that may be written, as their JSON texts. Others are denied by the contract and ignored in the
 * wild; a wrong type is denied in both.
 */
export function writableFields(call: Call, resource: Resource, { members, values }: Body, rules: Rules = {}): Members {
  const taken: Members = new Map()
  for (const [name, json] of members) {
    const field = Object.hasOwn(resource.fields, name) ? resource.fields[name] : undefined
    if (!field?.writable && !rules.also?.includes(name)) {
      if (call.dialect === 'observed') continue
      throw field
        ? invalid(name, 'This field is read-only.', 'read_only')
        : invalid(name, 'Unknown field.', 'unknown_field')
    }
    const problem = json === 'null' ? nothing(name, rules) : field && problemOf(field.kind, values[name])
    if (problem) throw invalid(name, `This value ${problem}.`)
    taken.set(name, json)
  }
  return taken
}

function nothing(name: string, { filled = [] }: Rules): string | undefined {
  return filled.includes(name) ? 'may not be null' : undefined
}
