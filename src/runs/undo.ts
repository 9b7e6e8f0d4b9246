import { nameOfProperty } from '../api/property-path.ts'
import { UsageError } from '../errors.ts'
import type { Job, ListedJob } from '../jobs/job.ts'
import { type Attempt, readAttempts } from '../jobs/undo/attempts.ts'
import { isWhatWasSet, type Marks, markOf } from '../jobs/undo/marks.ts'
import { encode, isObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { isDelete, type OperationRequest, rowOf } from '../operations/operation.ts'
import { isOperationName, type Restore } from '../operations/operation-form.ts'
import type { UndoName } from '../operations/operation-row.ts'
import { propertiesIn } from '../operations/person-properties.ts'

/** Milliseconds that a service may take to apply an accepted change. */
const longest = 60_000

interface UndoRequest {
  readonly undo: OperationRequest
  readonly ids: readonly string[]
  /** Number of targets that may have been sent without an answer. */
  readonly maybeDone: number
}

interface UndoOptions {
  readonly backups: readonly string[]
  readonly force: boolean
  /** Milliseconds. */
  readonly now: number
}

/** Throws `UsageError` if the job cannot be undone, `RefusedError` if a record is missing. Sends no request. */
export async function undoRequest(job: Job, { backups, force, now }: UndoOptions): Promise<UndoRequest> {
  const { command, key } = undoable(job)
  const fieldsOf =
    command === 'persons undo'
      ? propertiesIn
      : ({ value }: Item) => new Map(isObject(value) ? Object.entries(value) : [])
  const attempts = await readAttempts(job, backups, fieldsOf)
  const ids: string[] = []
  const restores: Restore[] = []
  const indexes = new Map<string, number>()
  const restoreOf: [id: string, restore: number][] = []
  let maybeDone = 0
  for (const { target, attempts: own } of attempts) {
    const isOpen = job.state.maybeDone(target)
    if (isOpen) maybeDone++
    const landsBy = (job.state.acceptedAt(target) ?? 0) + longest
    const restore: Restore = {
      ...restoreFrom(key, own),
      landsBy: landsBy > now ? landsBy : undefined,
      isOpen: isOpen || undefined,
    }
    // Many targets share the same few old values.
    const text = encode(restore)
    const index = indexes.get(text) ?? restores.push(restore) - 1
    indexes.set(text, index)
    const id = job.targets.at(target) ?? ''
    ids.push(id)
    restoreOf.push([id, index])
  }
  const undo = { key, force, restores, restoreOf: Object.fromEntries(restoreOf) }
  return {
    ids,
    maybeDone,
    undo: { command, values: { body: {}, unset: unsetIn(command, restores), undo } },
  }
}

/** False for a job that is an undo itself. */
export function isUndoable({ header: { command, markKey } }: ListedJob): boolean {
  if (!isOperationName(command) || markKey === undefined) return false
  const { undoneBy } = rowOf({ command })
  return undoneBy !== undefined && undoneBy !== command
}

function undoable({ name, header }: Job): { command: UndoName; key: string } {
  const { command, markKey } = header
  if (!isOperationName(command)) throw new UsageError(`This version has no operation ${JSON.stringify(command)}`)
  const { undoneBy, noun } = rowOf({ command })
  if (!undoneBy) {
    const what = isDelete({ command })
      ? `Job ${name} deleted ${noun[1]}, which`
      : `The changes of ${command} in job ${name}`
    throw new UsageError(`${what} cannot be put back`, {
      hint: 'Only updates, and deletions of properties, can be undone',
    })
  }
  if (markKey === undefined) {
    throw new UsageError(`Job ${name} was begun without --backup, so the old values were not saved`, {
      hint: 'Give --backup to the next update; it can be undone then',
    })
  }
  return { command: undoneBy, key: markKey }
}

/** A later attempt's old value counts unless an earlier attempt set it. */
function restoreFrom(key: string, attempts: readonly Attempt[]): Pick<Restore, 'before' | 'set'> {
  const before = new Map(Object.entries(attempts[0]?.before ?? {}))
  const set = new Map<string, Marks[string][]>()
  for (const attempt of attempts) {
    for (const path of new Set([...set.keys(), ...Object.keys(attempt.marks)])) {
      const value = Object.hasOwn(attempt.before, path) ? attempt.before[path] : undefined
      const ours = set.get(path)
      if (ours) {
        const [mark, oldMark] = [markOf(key, path, value), markOf(key, path, before.get(path))]
        if (ours.some(one => isWhatWasSet(mark, one, oldMark))) continue
      }
      if (value === undefined) before.delete(path)
      else before.set(path, value)
    }
    for (const [path, mark] of Object.entries(attempt.marks)) set.set(path, [...(set.get(path) ?? []), mark])
  }
  const unlike = (marks: readonly Marks[string][]) => [...new Map(marks.map(mark => [mark.join(), mark])).values()]
  return {
    before: Object.fromEntries([...before].filter(([path]) => set.has(path))),
    set: Object.fromEntries([...set].map(([path, marks]) => [path, unlike(marks)])),
  }
}

/** One property to remove, so that safety levels can check it before the first target is read. */
function unsetIn(command: UndoName, restores: readonly Restore[]): string[] {
  if (command !== 'persons undo') return []
  const absent = restores.flatMap(({ before, set }) => Object.keys(set).filter(path => !Object.hasOwn(before, path)))
  return absent.slice(0, 1).map(nameOfProperty)
}
