import { isApplied } from '../../api/verify-applied.ts'
import { decode, isObject } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { kindOf } from '../../json/pick.ts'
import type { FieldChange } from '../operation-row.ts'

const prefix = 'properties.'

/** Whether the person that came as the answer has the changed properties; an answer without properties tells nothing. */
export function showsChanges(item: Item | undefined, changes: readonly FieldChange[]): boolean {
  if (!item || kindOf(item) !== 'object') return true
  const { properties } = decode(item) as Readonly<Record<string, unknown>>
  if (!isObject(properties)) return true
  return changes.every(({ path, value }) => {
    const name = path.slice(prefix.length)
    const got = Object.hasOwn(properties, name) ? properties[name] : undefined
    return !path.startsWith(prefix) || isApplied('properties', value, got)
  })
}
