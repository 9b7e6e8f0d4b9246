import { kindAt } from '../api/resources.ts'
import { UsageError } from '../errors.ts'
import { readBackup } from '../jobs/backup.ts'
import { type Job, readTargets } from '../jobs/job.ts'
import { isPropertyPath } from '../json/property-path.ts'
import type { Saved } from '../operations/change.ts'
import { changedParts, type Part, partValue } from '../operations/change.ts'
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
  const [name, command] = Object.entries(undoneBy).find(([own]) => `${job.header.command} `.startsWith(`${own} `)) ?? []
  if (name === undefined || command === undefined) {
    throw new UsageError(`Job ${job.name} (${job.header.command}) cannot be undone`, {
      hint: 'Only updates and delete-property can be undone',
    })
  }
  if (files.length === 0) {
    throw new UsageError(`Job ${job.name} ran without --backup, so the old values were not saved`, {
      hint: 'Use --backup with the next update to be able to undo it',
    })
  }
  const { saved, unknownIds } = savedLines(job, files)
  const all = [...saved.values()]
  // Prefers one that takes a property away, so that safety levels can check the writes before the first target is read.
  const sample = all.find(takesAway) ?? all[0]
  if (!sample) {
    throw new UsageError(`${files.join(', ')} has no line of job ${job.name}`, {
      hint: 'Use the file that the job wrote',
    })
  }
  const operation: OperationRequest = { command, values: { ...sample, force } }
  const valuesPerTarget = all.map(({ before, set }) => ({ before, set }))
  return {
    operation,
    targets: { kind: 'saved' as const, ids: [...saved.keys()], valuesPerTarget },
    undoes: { header: job.header, backups: files },
    unknownIds,
  }
}

/** `unknownIds`: ids in the files that are not targets of the job. */
function savedLines(job: Job, files: readonly string[]) {
  const targets = new Set(readTargets(job))
  const unknownIds = new Set<string>()
  const lines: SavedLine[] = []
  for (const file of files) {
    for (const { id, at, before, set } of readBackup(file, job.name)) {
      // Full records of 100,000 persons would fill the memory.
      const parts = changedParts(set ?? {}).map(part => ({ ...part, before: partValue(before, part.path) }))
      if (targets.has(id)) lines.push({ id, at, parts })
      else unknownIds.add(id)
    }
  }
  const saved = new Map<string, Saved>()
  // The sort is stable: lines without a time come first, in the order of their files.
  for (const line of lines.sort((a, b) => a.at - b.at)) saved.set(line.id, withLine(saved.get(line.id), line))
  return { saved, unknownIds: [...unknownIds] }
}

interface SavedLine {
  readonly id: string
  readonly at: number
  /** What the job set there, with the value before it. */
  readonly parts: readonly (Part & { readonly before: unknown })[]
}

function takesAway({ before, set }: Saved): boolean {
  return set.some(([path]) => isPropertyPath(path) && !Object.hasOwn(before, path))
}

/** If an id has several lines, the old value of a field is the last one that the job did not set. */
function withLine(earlier: Saved | undefined, { parts }: SavedLine): Saved {
  const before: Record<string, unknown> = { ...earlier?.before }
  const isOurs = (path: string, value: unknown) =>
    earlier?.set.some(([one, wanted]) => one === path && isSame(kindAt(path), wanted, value)) === true
  for (const { path, before: value } of parts) {
    if (isOurs(path, value)) continue
    if (value === undefined) delete before[path]
    else before[path] = value
  }
  return { before, set: [...(earlier?.set ?? []), ...parts.map(entryOf)] }
}

function entryOf({ path, value }: Part): Saved['set'][number] {
  return value === undefined ? [path] : [path, value]
}
