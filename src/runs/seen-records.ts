/** What the records that a run reads before its first write tell of an update. */
import { isPropertyPath, nameOfField } from '../api/property-path.ts'
import { isLeftAlone } from '../jobs/outcome.ts'
import { isObject, type Json } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { fieldChanges, type Operation, operationForTarget, rowOf } from '../operations/operation.ts'
import type { FieldChange, TargetAndTime } from '../operations/operation-row.ts'
import { propertiesIn } from '../operations/person-properties.ts'
import { isSame } from '../output/table-parts/change.ts'
import { isNearly } from '../text/nearest.ts'

export interface SeenRecords {
  see(record: Item, target: TargetAndTime): void
  /** True if each of the targets was seen, and none would change. */
  areUnchanged(ids: readonly string[]): boolean
  /** A sentence for each name that would be set, that no record has, and that is nearly the name of one. */
  typingErrors(): readonly string[]
}

export function seeRecords(operation: Operation): SeenRecords {
  const { undoneBy } = rowOf(operation)
  const isUndo = undoneBy === operation.command
  const unchanged = new Set<string>()
  let isChanging = setsMore(operation)
  const held = new Set<string>()
  const near = new Map<string, string>()
  return {
    see(record, target) {
      if (undoneBy === undefined) return
      const fields = fieldsIn(record)
      const changes = changesFor(operation, record, target)
      // An undo sends an old value again where a change may still land, and leaves out what is as it was.
      isChanging ||= changes?.every(change => !isUndo && isMade(change, fields)) !== true
      if (isChanging) unchanged.clear()
      else unchanged.add(target.id)
      for (const { path, value } of changes ?? []) {
        if (fields.has(path)) held.add(path)
        else if (value !== undefined && !held.has(path) && !near.has(path)) {
          const other = [...fields.keys()].find(name => isNearlyPath(name, path))
          if (other !== undefined) near.set(path, other)
        }
      }
    },
    areUnchanged: ids => !isChanging && Array.from(ids).every(id => unchanged.has(id)),
    typingErrors: () =>
      [...near].flatMap(([path, other]) => {
        if (held.has(path) || isUndo) return []
        const [name, suggestion] = [path, other].map(one => JSON.stringify(nameOfField(one)))
        return [`No record that was read has ${name}, which this sets; did you mean ${suggestion}?`]
      }),
  }
}

/** Fields of the record, and properties of a person by their paths. */
export function fieldsIn(record: Item): ReadonlyMap<string, Json> {
  return new Map([...(isObject(record.value) ? Object.entries(record.value) : []), ...(propertiesIn(record) ?? [])])
}

/** Undefined if the target is left alone, which its outcome must say. */
function changesFor(operation: Operation, record: Item, target: TargetAndTime): readonly FieldChange[] | undefined {
  try {
    return fieldChanges(operationForTarget(operation, record, target))
  } catch (error) {
    if (isLeftAlone(error)) return undefined
    throw error
  }
}

function isMade({ path, value }: FieldChange, fields: ReadonlyMap<string, Json>): boolean {
  const current = fields.get(path)
  if (value !== undefined) return current !== undefined && isSame(current, value)
  // A record without its properties does not tell that one is missing.
  return current === undefined && fields.has('properties')
}

/** The request changes more than its field changes tell. */
function setsMore({ command, values }: Operation): boolean {
  if (command !== 'persons update') return 'properties' in values && values.properties !== undefined
  const { properties = {}, ...more } = values.body ?? {}
  return !isObject(properties) || Object.keys(more).length > 0
}

function isNearlyPath(one: string, other: string): boolean {
  return isPropertyPath(one) === isPropertyPath(other) && isNearly(nameOfField(one), nameOfField(other))
}
