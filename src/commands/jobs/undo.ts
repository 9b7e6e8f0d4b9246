import { kindAt } from '../../api/resources.ts'
import { defineCommand, flag, option } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { absolutePath } from '../../host.ts'
import { readBackup } from '../../jobs/backup.ts'
import { type Job, journalOf, readTargets, refuseHeld } from '../../jobs/job.ts'
import { isPropertyPath } from '../../json/property-path.ts'
import { changedParts, type Part, partValue, type Saved, undoneBy } from '../../operations/change.ts'
import type { OperationRequest } from '../../operations/operation.ts'
import { countOf, firstOf } from '../../text/grouped.ts'
import { inputFile, newFile } from '../../values/kinds.ts'
import { isSame } from '../../values/same.ts'
import { bulkOptions } from '../writing/bulk-options.ts'
import { runWithOptions } from '../writing/start-change.ts'
import { chooseJob, jobChoice } from './choose-job.ts'

const { expect, max, concurrency, maxFailures, receipt, reason } = bulkOptions

export default defineCommand({
  summary: 'Restore what an update or delete-property changed, from the backup of the job',
  details:
    'Reads each object first. If its fields still hold the values that the job set, the old values are restored, and properties that are new are removed. If a field changed since, the object is skipped as a conflict, unless you give --force.',
  args: jobChoice.args,
  options: {
    ...jobChoice.options,
    backup: option(inputFile, 'FILE', 'read this backup file (default: the one of the job)'),
    force: flag('restore the old values even if they changed since'),
    newBackup: option(newFile, 'FILE', 'save each record to this file before restoring it'),
    ...{ expect, max, concurrency, maxFailures, receipt, reason },
  },
  examples: [
    'jobs undo --last --dry-run # Show what would be sent',
    'jobs undo 20260515-120000-i000 --new-backup after.ndjson --yes # Restore, and save the current values first',
  ],
  async run({ job: typed }, { last, backup, force, newBackup, ...options }, context) {
    const job = await chooseJob(context, typed, last)
    refuseHeld(job, context.host)
    const files = backup === undefined ? job.backups : [absolutePath(context.host, backup)]
    const { unknownIds, ...undo } = undoOf(job, files, force)
    if (unknownIds.length > 0) {
      const skipped = countOf(unknownIds.length, 'id')
      context.messages.warn(`Skipped ${skipped} not changed by job ${job.name}: ${firstOf(unknownIds, 10)}`)
    }
    const changed = [...journalOf(job).outcomesOf(readTargets(job))].filter(([, one]) => one?.status === 'updated')
    const saved = new Set(undo.targets.ids)
    const restorable = changed.filter(([id]) => saved.has(id)).length
    if (restorable < changed.length) {
      context.messages.warn(
        `${files.join(', ')} has the old values of only ${restorable} of ${changed.length} changed objects; the others keep their new values`,
      )
    }
    const reason = options.reason ?? `undo of job ${job.name}`
    return runWithOptions(context, undo, { ...options, backup: newBackup, force, reason })
  },
})

function undoOf(job: Job, files: readonly string[], force: boolean) {
  const [, command] = Object.entries(undoneBy).find(([own]) => `${job.header.command} `.startsWith(`${own} `)) ?? []
  if (command === undefined) {
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

/** What the job set in a record, with the value before it. */
type SavedPart = Part & { readonly before: unknown }

/** `unknownIds`: ids in the files that are not targets of the job. */
function savedLines(job: Job, files: readonly string[]) {
  // Full records of 100,000 persons would fill the memory.
  const lines = files.flatMap(file =>
    Array.from(readBackup(file, job.name), ({ id, at, before, set }) => {
      const parts = changedParts(set ?? {}).map(part => ({ ...part, before: partValue(before, part.path) }))
      return { id, at, parts }
    }),
  )
  const targets = new Set(readTargets(job))
  const unknownIds = new Set(lines.map(({ id }) => id).filter(id => !targets.has(id)))
  const saved = new Map<string, Saved>()
  // The sort is stable: lines without a time come first, in the order of their files.
  const own = lines.filter(({ id }) => targets.has(id)).sort((a, b) => a.at - b.at)
  for (const { id, parts } of own) saved.set(id, withParts(saved.get(id), parts))
  return { saved, unknownIds: [...unknownIds] }
}

function takesAway({ before, set }: Saved): boolean {
  return set.some(([path]) => isPropertyPath(path) && !Object.hasOwn(before, path))
}

/** If an id has several lines, the old value of a field is the last one that the job did not set. */
function withParts(earlier: Saved | undefined, parts: readonly SavedPart[]): Saved {
  const before: Record<string, unknown> = { ...earlier?.before }
  const isOurs = (path: string, value: unknown) =>
    earlier?.set.some(([one, wanted]) => one === path && isSame(kindAt(path), wanted, value)) === true
  for (const { path, before: value } of parts) {
    if (isOurs(path, value)) continue
    if (value === undefined) delete before[path]
    else before[path] = value
  }
  const set = parts.map(({ path, value }): Saved['set'][number] => (value === undefined ? [path] : [path, value]))
  return { before, set: [...(earlier?.set ?? []), ...set] }
}
