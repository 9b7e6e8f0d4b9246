/** Computes values that restore the state before a job, from the target's current record. */
import { isPropertyPath, nameOfField, nameOfProperty } from '../api/property-path.ts'
import { RejectedError } from '../errors.ts'
import { codes, pendingSentence } from '../jobs/outcome.ts'
import { isSameMark, isWhatWasSet, markOf } from '../jobs/undo/marks.ts'
import { encode, isObject, type Json } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import type { UndoValues } from './operation-form.ts'
import type { TargetAndTime } from './operation-row.ts'
import { knownProperties, refuseNameless } from './person-properties.ts'

/** Throws a failure with code `conflict`, `pending` or `nameless-property` for a target that must not be changed. */
export function putBackProperties(values: UndoValues, person: Item, target: TargetAndTime): UndoValues {
  const changed = changedFields(values, knownProperties(person), target)
  const set = changed.filter(({ before }) => before !== undefined)
  const properties = Object.fromEntries(set.map(({ path, before }) => [nameOfProperty(path), before]))
  const unset = changed.filter(({ before }) => before === undefined).map(({ path }) => nameOfProperty(path))
  refuseNameless(unset, 'put the others back with persons update --set and persons delete-property --key')
  return { ...values, undo: undefined, body: set.length > 0 ? { properties } : undefined, unset }
}

/** For records whose fields cannot be removed, but set to null. */
export function putBackFields(values: UndoValues, record: Item, target: TargetAndTime): UndoValues {
  const changed = changedFields(values, new Map(isObject(record.value) ? Object.entries(record.value) : []), target)
  const body = Object.fromEntries(changed.map(({ path, before = null }) => [path, before]))
  return { ...values, undo: undefined, body: changed.length > 0 ? body : undefined }
}

interface ChangedField {
  readonly path: string
  readonly before: unknown
}

/** Returns fields whose old value differs from the current or a pending one. */
function changedFields(
  { undo }: UndoValues,
  current: ReadonlyMap<string, Json>,
  { id, now }: TargetAndTime,
): ChangedField[] {
  const restore = undo?.restores[undo.restoreOf[id] ?? -1]
  if (!restore) return []
  const { before, set, landsBy = 0, isOpen = false } = restore
  const fields = Object.entries(set).map(([path, marks]) => {
    const [value, old] = [current.get(path), Object.hasOwn(before, path) ? before[path] : undefined]
    const [mark, oldMark] = [markOf(undo.key, path, value), markOf(undo.key, path, old)]
    const isOurs = marks.some(one => isWhatWasSet(mark, one, oldMark))
    return { path, value, before: old, isOurs, isOld: isSameMark(mark, oldMark) }
  })
  const foreign = fields.filter(({ isOurs, isOld }) => !isOurs && !isOld).map(({ path }) => path)
  if (foreign[0] !== undefined && !undo.force) throw conflict(foreign[0])
  // Some requests of a target may be applied before others.
  if (now < landsBy && fields.some(({ isOld, isOurs }) => isOld && !isOurs)) {
    throw new RejectedError(pendingSentence, { code: codes.pending })
  }
  return fields.filter(({ path, value, before }) => {
    const isOther = isPropertyPath(path) && (value === undefined) !== (before === undefined)
    // Sending an old value again overwrites a change that is still pending.
    const isSentAgain = isOpen && (before !== undefined || isPropertyPath(path))
    return isSentAgain || isOther || encode(value) !== encode(before)
  })
}

function conflict(path: string): RejectedError {
  return new RejectedError(
    `Somebody changed ${nameOfField(path)} since, so it is left alone; jobs undo --force puts it back`,
    {
      code: codes.conflict,
      attr: path,
    },
  )
}
