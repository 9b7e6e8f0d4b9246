import { resolve } from 'node:path'
import { guards, keptFiles, reasonOptions, runLimits } from '../../cli/bulk-options.ts'
import { defineCommand } from '../../cli/command.ts'
import { argument, flag, option, repeated } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { type Job, jobsFolder, openJob } from '../../jobs/job.ts'
import { refuseHeld } from '../../jobs/locked-job.ts'
import { backupPathsOf } from '../../jobs/receipts/receipt-again.ts'
import { refuseElsewhere } from '../../operations/guards/refuse-elsewhere.ts'
import { refuseSameFile } from '../../operations/guards/refuse-same-file.ts'
import { counted, type OperationRequest, rowOf, writeEndpoints } from '../../operations/operation.ts'
import type { FixedTargets } from '../../operations/run-request.ts'
import { startRun } from '../../operations/start-run.ts'
import { undoRequest } from '../../operations/undo/undo-job.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import { inputFile, newFile } from '../../values/kinds.ts'
import { fixedRequest } from '../run-request.ts'

export default defineCommand({
  summary: 'Put back what an update or a deletion of properties changed, from the backup of the job',
  details:
    'Each object is read. Where every field holds what the job set, or what was there before, the old values are set, and properties that were not there before are taken away. Where somebody changed one of them since, the object is left alone, unless --force. --new-backup makes it possible to undo the undo.',
  calls: writeEndpoints,
  args: { job: argument('JOB', 'id of the job, or a part of it that no other job has') },
  options: {
    backup: repeated(inputFile, 'FILE', 'a file that the job wrote with --backup, where it was moved'),
    force: flag('put the old values back even where somebody changed them since'),
    newBackup: option(newFile, 'FILE', 'append each full record as it is now to this file first'),
    ...guards,
    ...runLimits,
    receipt: keptFiles.receipt,
    ...reasonOptions,
  },
  examples: [
    'jobs undo 20260515-120000-i000 --dry-run # Show what it would send',
    'jobs undo 20260515-120000-i000 --new-backup after.ndjson --yes # Put it back',
  ],
  async run({ job: name }, { backup: typed, force, newBackup, ...options }, context) {
    const { host, stateFolder } = context
    refuseSameFile(context, { '--receipt': options.receipt, '--plan': options.plan, '--new-backup': newBackup }, typed)
    if (options.plan !== undefined && newBackup !== undefined) {
      throw new UsageError('--new-backup cannot be combined with --plan', {
        hint: 'Give --backup to analytics jobs run',
      })
    }
    const job = openJob(jobsFolder(stateFolder()), name)
    const { header } = job
    refuseHeld(job, host)
    const backups = typed.length > 0 ? typed.map(file => resolve(host.cwd, file)) : backupPathsOf(job)
    const { undo, ids, otherNames, unanswered } = await undoRequest(job, { backups, force, now: host.clock.now() })
    reportUnfinished(context, job, ids.length)
    reportOtherNames(context, job, undo, otherNames)
    reportUnanswered(context, undo, unanswered)
    const targets: FixedTargets = {
      kind: 'fixed',
      ids,
      place: connection => refuseElsewhere(connection, header, 'The job', 'Undo'),
    }
    const reason = options.reason ?? `undo of job ${job.name}`
    return startRun(context, fixedRequest(context, undo, targets, { force, ...options, backup: newBackup, reason }))
  },
})

function reportUnfinished({ messages }: Context, { name, state }: Job, count: number): void {
  const { left } = state.counts
  if (left === 0) return
  messages.notice(
    `Job ${name} is not finished: ${grouped(left)} of ${grouped(state.total)} are left, and only what it sent is put back (${grouped(count)})`,
  )
}

function reportUnanswered({ messages }: Context, undo: OperationRequest, count: number): void {
  if (count === 0) return
  messages.notice(
    `Whether the job changed ${counted(count, undo)} is not known: the old values are sent even where they are there`,
  )
}

function reportOtherNames({ messages }: Context, { name }: Job, undo: OperationRequest, count: number): void {
  if (count === 0) return
  const [one, many] = rowOf(undo).noun
  messages.notice(
    `${countOf(count, 'target', 'targets')} of job ${name} ${count === 1 ? `names a ${one} that another target names` : `name ${many} that other targets name`} too (a number and a UUID): each ${one} is put back once, under the name that came first`,
  )
}
