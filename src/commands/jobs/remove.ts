import { manyArguments } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { type OptionsOf, option } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { isResumable, isUnsentKept } from '../../jobs/job.ts'
import type { JobFacts, JobLocation } from '../../jobs/job-header.ts'
import { leaseOf } from '../../jobs/lease.ts'
import { refuseHeld, removeFreeJob } from '../../jobs/locked-job.ts'
import { listDocument } from '../../output/document.ts'
import { isTable } from '../../output/is-table.ts'
import { rowView } from '../../output/views.ts'
import { noData } from '../../result.ts'
import { countOf } from '../../text/grouped.ts'
import { age } from '../../values/duration.ts'
import { text } from '../../values/kinds.ts'
import { jobInUse, jobsInUse, ofOthers, onEveryServer } from './jobs-in-use.ts'

const fields = { id: text, status: text }
const options = {
  olderThan: option(age, 'DURATION', 'all that started longer ago, such as 30d'),
  everywhere: onEveryServer,
}

export default defineCommand({
  summary: 'Remove jobs, with their targets and journals',
  details:
    'An interrupted or failed job cannot be resumed once it is removed. A running one is not removed. Jobs of the server (or sandbox) in use are removed; --older-than with --everywhere removes those of every server.',
  args: { jobs: manyArguments('JOB', 'ids of the jobs, or their beginnings') },
  options,
  examples: [
    'jobs remove --older-than 30d # Those of the server in use',
    'jobs remove --older-than 30d --everywhere # Those of every server',
  ],
  async run({ jobs }, choosing, context) {
    const { values, messages } = context
    const { removed, resumable, others } = chosen(jobs, choosing, context)
    if (!values.dryRun) for (const job of removed) removeFreeJob(job, context.host)
    const left = resumable === 0 ? '' : `, ${resumable} of them with something left to try`
    const done = values.dryRun ? 'would be removed' : 'removed'
    const rows = removed.map(({ name }) => ({ id: name, status: done }))
    messages.notice(`${countOf(removed.length, 'job', 'jobs')} ${done}${left}`)
    if (others > 0) messages.notice(ofOthers(others, 'removed'))
    return { data: isTable(values) ? noData : listDocument(rows, rowView(Object.keys(fields))) }
  },
})

interface Chosen {
  readonly removed: readonly JobLocation[]
  /** How many of the old jobs have something left to try. */
  readonly resumable: number
  /** Number of old jobs of other servers, which are not removed. */
  readonly others: number
}

function chosen(
  names: readonly string[],
  { olderThan, everywhere }: OptionsOf<typeof options>,
  context: Context,
): Chosen {
  const { host } = context
  if ((names.length === 0) === (olderThan === undefined)) {
    throw new UsageError(names.length === 0 ? 'No jobs given' : 'Ids cannot be combined with --older-than', {
      hint: 'Give their ids, or --older-than such as 30d',
    })
  }
  if (olderThan === undefined) {
    if (everywhere) throw new UsageError('--everywhere needs --older-than', { hint: 'Leave it out' })
    const named = new Map(names.map(name => jobInUse(context, name, 'remove')).map(job => [job.name, job]))
    for (const job of named.values()) refuseHeld(job, host)
    return { removed: [...named.values()], resumable: 0, others: 0 }
  }
  const before = host.clock.now() - olderThan
  const isOld = ({ header, folder }: JobLocation & { readonly header: JobFacts }) =>
    Date.parse(header.created_at) <= before && !leaseOf(folder, host.processes).holder
  const { jobs, foreign, others } = jobsInUse(context, everywhere)
  const [own, ofOtherVersions] = [jobs.filter(isOld), foreign.filter(isOld)]
  const resumable = own.filter(isResumable).length + ofOtherVersions.filter(isUnsentKept).length
  return { removed: [...own, ...ofOtherVersions], resumable, others: others.filter(isOld).length }
}
