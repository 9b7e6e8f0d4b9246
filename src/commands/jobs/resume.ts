import { defineCommand } from '../../cli/command.ts'
import { flag } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import type { Failure } from '../../errors.ts'
import { isStrangers } from '../../files/permissions.ts'
import { isUnsentKept, type Job, jobsFolder, openJob } from '../../jobs/job.ts'
import { type JobFacts, OtherVersionError } from '../../jobs/job-header.ts'
import { listJobs, type UnreadJob } from '../../jobs/list-jobs.ts'
import { differing } from '../../runs/checks/elsewhere.ts'
import { endJob, nothingToResume } from '../../runs/complete-job.ts'
import { resumeJob } from '../../runs/resume.ts'
import { guards, jobOptions } from '../writing/bulk-options.ts'
import { findJobInUse, isOurs, jobChoice, typedJob } from './jobs-in-use.ts'

export default defineCommand({
  summary: 'Finish a bulk run that was stopped, and try the failed ones once more',
  details:
    'No question is asked again, except under the safety level confirm. What is recorded as done is not sent again. What was sent and never answered is sent again. The job may have begun on another machine; the server and the project must be the same. With --last and nothing left, --receipt writes the receipt of the newest job.',
  args: jobChoice.args,
  options: {
    last: flag(
      'the newest job of yours on this server and project that has several targets, and something left to try',
    ),
    expect: guards.expect,
    ...jobOptions,
  },
  examples: ['jobs resume 20260515-120000-i000 # Go on with a job', 'jobs resume --last # Go on with the newest one'],
  async run({ job: typed }, options, context) {
    const jobs = jobsFolder(context.stateFolder())
    const name = typedJob({ job: typed, last: options.last })
    if (name !== undefined) return resumeJob(context, openJob(jobs, findJobInUse(context, name).name), options)
    const last = await lastUnfinished(context, jobs, options.receipt !== undefined)
    return last && !last.state.isFinished ? resumeJob(context, last, options) : nothingToResume(context, last, options)
  },
})

/**
 * Finds the newest job of ours on this server and project with several targets, of which some are left, otherwise the
 * newest finished one if `wantsFinished`. Ends newer jobs that a killed process completed. If only a job that cannot be
 * read may have targets left, throws its failure.
 */
async function lastUnfinished(context: Context, jobs: string, wantsFinished: boolean): Promise<Job | undefined> {
  const connection = await context.connect()
  const isHere = async (header: JobFacts) => !(await differing(connection, header))
  const notRead: UnreadJob[] = []
  const listed = listJobs(jobs, job => notRead.push(job))
  const unread: Failure[] = []
  for (const job of notRead) {
    const { failure, header } = job
    if (header === 'missing' || isStrangers(job.folder)) context.messages.warn(failure.message)
    // Every version erases what was to be sent when nothing is left to try.
    else if (failure instanceof OtherVersionError && !isUnsentKept(job)) continue
    else if (header === 'unreadable' || (await isHere(header))) unread.push(failure)
  }
  let newest: string | undefined
  for (const listedJob of listed) {
    const { name, header, counts } = listedJob
    const isUnended = isUnsentKept(listedJob)
    const mayHaveLeft = counts.left + counts.failed > 0 || isUnended
    if (!(mayHaveLeft || (wantsFinished && !newest)) || !(await isHere(header))) continue
    if (mayHaveLeft && isStrangers(listedJob.folder)) {
      context.messages.warn(`Job ${name} is passed over: its folder belongs to another user, or others can write to it`)
    }
    if (header.total === 1 || !isOurs(context, listedJob, header)) continue
    newest ??= name
    if (!mayHaveLeft) continue
    const job = openJob(jobs, name)
    if (job.state.isFinished) {
      if (isUnended) endJob(context, job)
      continue
    }
    for (const { message } of unread) context.messages.warn(message)
    return job
  }
  const [first, ...rest] = unread
  for (const { message } of rest) context.messages.warn(message)
  if (first) throw first
  return wantsFinished && newest !== undefined ? openJob(jobs, newest) : undefined
}
