import { type Context, defineCommand } from '../../cli/command.ts'
import { manyArguments, option } from '../../cli/options.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { isHeld, tryLock } from '../../files/lock.ts'
import { findJob, type JobLocation, jobsFolder, listJobs, lockPath, removeJob } from '../../jobs/job.ts'
import { duration } from '../../values/duration.ts'

const fields = ['id', 'status']

export default defineCommand({
  summary: 'Remove jobs, with their targets and journals',
  details: 'An interrupted job cannot be resumed once it is removed. A running one is not removed.',
  calls: [],
  args: { jobs: manyArguments('JOB', 'ids of the jobs') },
  options: { olderThan: option(duration, 'DURATION', 'all that started longer ago, such as 30d') },
  examples: ['jobs remove --older-than 30d'],
  async run({ jobs }, { olderThan }, context) {
    const { values, messages } = context
    const removed = chosen(jobs, olderThan, context)
    if (!values.dryRun) for (const job of removed) remove(job, context)
    const done = values.dryRun ? 'would be removed' : 'removed'
    const rows = removed.map(({ name }) => Buffer.from(JSON.stringify({ id: name, status: done })))
    messages.notice(`${removed.length} ${removed.length === 1 ? 'job' : 'jobs'} ${done}`)
    if ((values.output ?? 'table') === 'table') return { text: '' }
    return { document: { shape: 'list', batches: [rows], view: { columns: fields, fields, id: 'id' } } }
  },
})

function remove(job: JobLocation, { host }: Context): void {
  if (!tryLock(lockPath(job), host.processes)) throw running(job)
  removeJob(job)
}

function running({ name }: JobLocation): RefusedError {
  return new RefusedError(`Job ${name} is running`, { hint: 'Stop it first' })
}

function chosen(
  names: readonly string[],
  olderThan: number | undefined,
  { host, messages, stateFolder }: Context,
): JobLocation[] {
  if ((names.length === 0) === (olderThan === undefined)) {
    throw new UsageError(
      names.length === 0 ? 'No jobs were given' : 'Jobs were given twice, as ids and by --older-than',
      {
        hint: 'Give their ids, or --older-than such as 30d',
      },
    )
  }
  const folder = jobsFolder(stateFolder())
  const isBusy = (job: JobLocation) => isHeld(lockPath(job), host.processes)
  if (olderThan === undefined) {
    const named = [...new Set(names)].map(name => findJob(folder, name))
    const busy = named.find(isBusy)
    if (busy) throw running(busy)
    return named
  }
  const before = host.clock.now() - olderThan
  const all = listJobs(folder, error => messages.warn(error.message))
  return all.filter(job => Date.parse(job.header.created_at) <= before && !isBusy(job))
}
