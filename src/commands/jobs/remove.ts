import { join } from 'node:path'
import { defineCommand, manyArguments, option } from '../../cli/command.ts'
import { type Context, isTable, noData } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { findJob, progressOf, removeJob } from '../../jobs/find-job.ts'
import { type Job, jobsFolder, refuseHeld } from '../../jobs/job.ts'
import { listDocument, rowView } from '../../output/views.ts'
import { countOf } from '../../text/grouped.ts'
import { age } from '../../values/duration.ts'
import { readJobs } from './choose-job.ts'

export default defineCommand({
  summary: 'Remove jobs',
  details: 'Does not remove running jobs. --older-than removes only finished jobs.',
  args: { jobs: manyArguments('JOB', 'ids of the jobs, or unique prefixes') },
  options: { olderThan: option(age, 'DURATION', 'remove finished jobs that started longer ago, such as 30d') },
  examples: ['jobs remove --older-than 30d # Remove finished jobs'],
  async run({ jobs: typed }, { olderThan }, context) {
    const { values, messages, host } = context
    const jobs = jobsFolder(context.stateFolder())
    const chosen = olderThan === undefined ? namedJobs(host, jobs, typed) : oldJobs(context, typed, olderThan)
    const removed = [...new Set(chosen)].filter(name => values.dryRun || removeJob(jobs, name, host))
    const done = values.dryRun ? 'would be removed' : 'removed'
    messages.notice(`${countOf(removed.length, 'job')} ${done}`)
    const rows = removed.map(id => ({ id, status: done }))
    return { data: isTable(values) ? noData : listDocument(rows, rowView(['id', 'status'])) }
  },
})

const hint = 'Give ids, or use --older-than 30d'

/** Throws `RefusedError` for a job that is running. */
function namedJobs(host: Host, jobs: string, typed: readonly string[]): readonly string[] {
  if (typed.length === 0) throw new UsageError('No jobs given', { hint })
  const names = typed.map(name => findJob(jobs, name))
  for (const name of names) refuseHeld({ name, folder: join(jobs, name) }, host)
  return names
}

function oldJobs(context: Context, typed: readonly string[], age: number): readonly string[] {
  if (typed.length > 0) throw new UsageError('--older-than cannot be combined with ids', { hint })
  const before = context.host.clock.now() - age
  const isOld = (job: Job) =>
    Date.parse(job.header.started_at) <= before && ['done', 'failed'].includes(progressOf(job, context.host).state)
  return readJobs(context, job => (isOld(job) ? [job.name] : [])).flat()
}
