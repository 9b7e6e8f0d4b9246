import { defineCommand, flag, option } from '../../cli/command.ts'
import { absolutePath } from '../../host.ts'
import { journalOf, readTargets, refuseHeld } from '../../jobs/job.ts'
import { undoOf } from '../../runs/undo.ts'
import { countOf, firstOf } from '../../text/grouped.ts'
import { inputFile, newFile } from '../../values/kinds.ts'
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
