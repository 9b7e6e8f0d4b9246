import { resolve } from 'node:path'
import { defineCommand } from '../../cli/command.ts'
import { flag, option, repeated } from '../../cli/options.ts'
import { refuseUnanswerable } from '../../consent.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { backupPathsOf, type Job, jobsFolder, openJob } from '../../jobs/job.ts'
import type { JobHeader, JobLocation } from '../../jobs/job-header.ts'
import { refuseHeld } from '../../jobs/locked-job.ts'
import { counted, type OperationRequest } from '../../operations/operation.ts'
import { differing, refuseElsewhere } from '../../runs/checks/elsewhere.ts'
import { refuseSameFile } from '../../runs/checks/same-file.ts'
import { isUndoable, undoRequest } from '../../runs/undo.ts'
import type { FixedTargets } from '../../targets/source.ts'
import { grouped } from '../../text/grouped.ts'
import { inputFile, newFile } from '../../values/kinds.ts'
import { guards, keptFiles, reasonOptions, runLimits } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'
import { findJobInUse, jobChoice, lastJob, typedJob } from './jobs-in-use.ts'

export default defineCommand({
  summary: 'Put back what an update or a deletion of properties changed, from the backup of the job',
  details:
    'Each object is read. Where every field holds what the job set, or what was there before, the old values are set, and properties that were not there before are taken away. Where somebody changed one of them since, the object is left alone, unless --force. --new-backup makes it possible to undo the undo.',
  args: jobChoice.args,
  options: {
    last: flag('the newest job of yours on this server and project that can be undone and is no undo; not with --yes'),
    backup: repeated(inputFile, 'FILE', 'a file that the job wrote with --backup (those that the job noted)'),
    force: flag('put the old values back even where somebody changed them since'),
    newBackup: option(newFile, 'FILE', 'append each full record as it is now to this file first'),
    ...guards,
    ...runLimits,
    receipt: keptFiles.receipt,
    ...reasonOptions,
  },
  examples: [
    'jobs undo --last --dry-run # Show what it would send',
    'jobs undo 20260515-120000-i000 --new-backup after.ndjson --yes # Put it back',
  ],
  async run({ job: named }, { last, backup: given, force, newBackup, ...options }, context) {
    const { host, stateFolder, values } = context
    const name = typedJob({ job: named, last })
    if (last && values.yes) throw new UsageError('--last cannot be combined with --yes', { hint: 'Give JOB' })
    const found = name === undefined ? await lastUndoable(context) : findJobInUse(context, name)
    const job = openJob(jobsFolder(stateFolder()), found.name)
    // Only a person who sees which job is the last one may agree to it.
    if (last) {
      const hint = `Name it: analytics jobs undo ${job.name} --yes`
      refuseUnanswerable(context, { doing: `Undoing job ${job.name}, the last one,`, isAsked: true, hint })
    }
    const { header } = job
    refuseHeld(job, host)
    const backups = given.length > 0 ? given.map(file => resolve(host.cwd, file)) : backupPathsOf(job)
    const files = { '--receipt': options.receipt, '--new-backup': newBackup }
    refuseSameFile(context, files, backups)
    const { undo, ids, maybeDone } = await undoRequest(job, { backups, force, now: host.clock.now() })
    reportUnfinished(context, job, ids.length)
    reportMaybeDone(context, undo, maybeDone)
    const targets: FixedTargets = {
      kind: 'fixed',
      ids,
      input: null,
      place: connection => refuseElsewhere(connection, header, 'The job', 'Undo'),
    }
    const reason = options.reason ?? `undo of job ${job.name}`
    const kept = { backup: newBackup, backupOption: '--new-backup' } as const
    return startChange(context, undo, targets, { force, ...options, ...kept, reason })
  },
})

async function lastUndoable(context: Context): Promise<JobLocation> {
  const connection = await context.connect()
  const isHere = async (header: JobHeader) => !(await differing(connection, header))
  const job = await lastJob(context, isHere, isUndoable)
  if (job) return job
  throw new UsageError('No job of yours here can be undone', {
    hint: 'Updates can that were given --backup FILE; see analytics jobs list',
  })
}

function reportUnfinished({ messages }: Context, { name, state }: Job, count: number): void {
  const { left } = state.counts
  if (left === 0) return
  messages.notice(
    `Job ${name} is not finished: ${grouped(left)} of ${grouped(state.total)} are left, and only what it sent is put back (${grouped(count)})`,
  )
}

function reportMaybeDone({ messages }: Context, undo: OperationRequest, count: number): void {
  if (count === 0) return
  messages.notice(
    `Whether the job changed ${counted(count, undo)} is not known: the old values are sent even where they are there`,
  )
}
