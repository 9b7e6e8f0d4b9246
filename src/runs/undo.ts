/** From the lines of a job in its backup to a run that puts the old values back. */
import { kindAt } from '../api/resources.ts'
import { UsageError } from '../errors.ts'
import { type BackupLine, readBackup } from '../jobs/backup.ts'
import type { Job } from '../jobs/job.ts'
import { isPropertyPath } from '../json/property-path.ts'
import { type Part, partsOf, partValue } from '../operations/change.ts'
import type { Saved } from '../operations/from-record.ts'
import type { Operation, OperationRequest } from '../operations/operation.ts'
import { isSame } from '../values/same.ts'

type UndoName = 'persons undo' | 'event-definitions undo'

export const undoneBy: Readonly<Partial<Record<Operation['command'], UndoName>>> = {
  'persons update': 'persons undo',
  'persons update-property': 'persons undo',
  'persons delete-property': 'persons undo',
  'persons undo': 'persons undo',
  'event-definitions update': 'event-definitions undo',
  'event-definitions undo': 'event-definitions undo',
}

export function undoOf(job: Job, files: readonly string[], force: boolean) {
  const [name, command] = Object.entries(undoneBy).find(([own]) => isOf(job, own)) ?? []
  if (name === undefined || command === undefined) {
    throw new UsageError(`Job ${job.name} (${job.head.command}) cannot be put back`, {
      hint: 'Only updates, and deletions of properties, can be undone',
    })
  }
  if (files.length === 0) {
    throw new UsageError(`Job ${job.name} was begun without --backup, so the old values were not saved`, {
      hint: 'Give --backup to the next update; it can be undone then',
    })
  }
  const saved = new Map<string, Saved>()
  for (const file of files) {
    for (const line of readBackup(file, job.name)) saved.set(line.id, withLine(saved.get(line.id), line))
  }
  if (saved.size === 0) {
    throw new UsageError(`${files.join(', ')} has no line of job ${job.name}`, { hint: 'Give the file that it wrote' })
  }
  const each = [...saved.values()].map(({ before, set }) => ({ before, set }))
  // One that takes a property away, so that safety levels can check it before the first target is read.
  const sample = [...saved.values()].find(takesAway) ?? { before: {}, set: [] }
  const operation: OperationRequest = { command, values: { ...sample, force } }
  return { operation, targets: { kind: 'saved' as const, ids: [...saved.keys()], each } }
}

function isOf({ head }: Job, name: string): boolean {
  return head.command === name || head.command.startsWith(`${name} `)
}

function takesAway({ before, set }: Saved): boolean {
  return set.some(([path]) => isPropertyPath(path) && !Object.hasOwn(before, path))
}

/** Of several lines of one id the old value of a field is the last that is not what the job set. */
function withLine(earlier: Saved | undefined, { before: record, set }: BackupLine): Saved {
  const parts = partsOf(set ?? {})
  const before: Record<string, unknown> = { ...earlier?.before }
  const isOurs = (path: string, value: unknown) =>
    earlier?.set.some(([one, wanted]) => one === path && isSame(kindAt(path), wanted, value)) === true
  const paths = new Set([...(earlier?.set ?? []).map(([path]) => path), ...parts.map(({ path }) => path)])
  for (const path of paths) {
    const value = partValue(record, path)
    if (isOurs(path, value)) continue
    if (value === undefined) delete before[path]
    else before[path] = value
  }
  return { before, set: [...(earlier?.set ?? []), ...parts.map(entryOf)] }
}

function entryOf({ path, value }: Part): Saved['set'][number] {
  return value === undefined ? [path] : [path, value]
}
