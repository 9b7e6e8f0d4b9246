import { type Connection, type Context, defineCommand, type Result } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { type Header, type Job, jobsFolder, openJob, unsentOf } from '../../jobs/job.ts'
import { runStateOf } from '../../jobs/job-state.ts'
import { memoryJournal } from '../../jobs/journal.ts'
import { lockJob } from '../../jobs/locked-job.ts'
import { isOperationName, rowOf, writeEndpoints } from '../../operations/operation.ts'
import { pathIn } from '../../operations/place.ts'
import { type OperationRun, runOperation, type Unsent } from '../../operations/run-operation.ts'
import { many } from '../../operations/targets.ts'
import { outcomeView } from '../../output/views.ts'
import { sandboxBase } from '../../sandbox/base.ts'

const { concurrency, maxFailures } = many

export default defineCommand({
  summary: 'Finish a bulk run that was stopped, and try the failed ones once more',
  details:
    'No question is asked again. What is recorded as done is not sent again; what was sent and never answered is. A job can only be resumed where it started: same server, project and profile.',
  calls: writeEndpoints,
  args: { job: argument('JOB', 'id of the job') },
  options: { concurrency, maxFailures },
  examples: ['jobs resume 20260515-120000-i000'],
  async run({ job: name }, options, context) {
    const { host, values, stateFolder } = context
    const jobs = jobsFolder(stateFolder())
    const { header } = openJob(jobs, name)
    if (header.lookup !== undefined) {
      throw new UsageError('The job is still looking up its targets', {
        hint: 'Run the same command with the same list again',
      })
    }
    const concurrency = values.dryRun ? 1 : (options.concurrency ?? numberIn(header, 'concurrency') ?? 8)
    const connection = await context.connect({ connections: concurrency })
    await refuseElsewhere(context, connection, header)
    if (values.dryRun) {
      const job = openJob(jobs, name)
      return resume(context, job, { connection, journal: memoryJournal(job.state), concurrency })
    }
    const job = lockJob(jobs, name, host)
    const maxFailures = options.maxFailures ?? numberIn(header, 'maxFailures')
    const canary = numberIn(header, 'canary')
    const { journal } = job
    try {
      return await resume(context, job.job, { connection, journal, job, concurrency, maxFailures, canary })
    } catch (error) {
      job.release()
      throw error
    }
  },
})

async function resume(
  context: Context,
  job: Job,
  run: Omit<OperationRun, 'operation' | 'targets' | 'receipt'>,
): Promise<Result> {
  const { state } = job
  const unsent = unsentOf(job) as Unsent | undefined
  if (unsent) return runOperation(context, { ...run, ...unsent, targets: job.targets })
  if (runStateOf(state) !== 'done') {
    throw new UsageError(`The job in ${job.folder} has lost what it was going to send`, {
      hint: 'Run the command again',
    })
  }
  run.job?.release()
  context.messages.notice('Nothing to do: the job is done')
  return { document: { shape: 'list', batches: [], view: outcomeView } }
}

/** Throws `RefusedError` where the settings lead to another server, project, organization or profile than the job's. */
async function refuseElsewhere(context: Context, connection: Connection, header: Header): Promise<void> {
  const { command } = header
  if (!isOperationName(command)) throw new UsageError(`This version has no operation ${JSON.stringify(command)}`)
  const profile = context.settings.profile?.name ?? null
  const here: Facts = { ...(await pathIn(connection, { command })), base: connection.client.base.href, profile }
  const there: Facts = { ...header.path, base: header.base, profile: header.profile }
  const differing = facts.find(({ name }) => here[name] !== there[name])
  if (!differing) return
  const { name, called, option } = differing
  const value = there[name]
  const [, nouns] = rowOf({ command }).noun
  throw new RefusedError(
    `The job changes ${nouns} of ${called} ${value ?? 'none'}, not of ${called} ${here[name] ?? 'none'}`,
    {
      hint:
        value === null
          ? 'Resume it without the profile, and give what it holds by options'
          : `Resume it with ${value === sandboxBase ? '--sandbox' : `${option} ${value}`}`,
    },
  )
}

type Facts = Readonly<Record<string, string | null | undefined>>

const facts = [
  { name: 'profile', called: 'profile', option: '--profile' },
  { name: 'base', called: 'server', option: '--base-url' },
  { name: 'project_id', called: 'project', option: '--project' },
  { name: 'parent_lookup_organization_id', called: 'organization', option: '--organization' },
]

function numberIn({ options }: Header, name: string): number | undefined {
  const value = options[name]
  return typeof value === 'number' ? value : undefined
}
