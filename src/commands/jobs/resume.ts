import { type Connection, type Context, defineCommand, type Result } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { RefusedError, UsageError } from '../../errors.ts'
import { type Header, type Job, jobsFolder, openJob, unsentOf } from '../../jobs/job.ts'
import { runStateOf } from '../../jobs/job-state.ts'
import { memoryJournal } from '../../jobs/journal.ts'
import { lockJob } from '../../jobs/locked-job.ts'
import { scopeOf } from '../../operations/operation-request.ts'
import { type Operation, type OperationName, type OperationRow, operations } from '../../operations/operations.ts'
import { runOperation, type Unsent } from '../../operations/run-operation.ts'
import { many } from '../../operations/targets.ts'
import { outcomeView } from '../../output/views.ts'
import { sandboxBase } from '../../sandbox/base.ts'

const { concurrency, maxFailures } = many

export default defineCommand({
  summary: 'Finish a bulk run that was stopped, and try the failed ones once more',
  details:
    'No question is asked again. What is recorded as done is not sent again; what was sent and never answered is. A job can only be resumed where it started: same server, project and profile.',
  calls: Object.values(operations).map(row => row.endpoint),
  args: { job: argument('JOB', 'id of the job') },
  options: { concurrency, maxFailures },
  examples: ['jobs resume 20260515-120000-i000'],
  async run({ job: name }, options, context) {
    const { host, values, stateFolder } = context
    const jobs = jobsFolder(stateFolder())
    const { header } = openJob(jobs, name)
    const concurrency = Math.max(1, options.concurrency ?? numberIn(header, 'concurrency') ?? 8)
    const connection = await context.connect({ connections: concurrency })
    await refuseElsewhere(context, connection, header)
    if (values.dryRun) {
      const job = openJob(jobs, name)
      return resume(context, connection, job, { journal: memoryJournal(job.state), concurrency: 1 })
    }
    const held = lockJob(jobs, name, host)
    const maxFailures = options.maxFailures ?? numberIn(header, 'maxFailures')
    const canary = numberIn(header, 'canary')
    try {
      return await resume(context, connection, held.job, {
        journal: held.journal,
        held,
        concurrency,
        maxFailures,
        canary,
      })
    } catch (error) {
      held.release()
      throw error
    }
  },
})

type How = Pick<Parameters<typeof runOperation>[1], 'journal' | 'held' | 'concurrency' | 'maxFailures' | 'canary'>

async function resume(context: Context, connection: Connection, job: Job, how: How): Promise<Result> {
  const { header, state } = job
  const unsent = unsentOf(job) as Unsent | undefined
  if (!unsent && runStateOf(state) === 'done') {
    how.held?.release()
    context.messages.notice('Nothing to do: the job is done')
    return { document: { shape: 'list', batches: [], view: outcomeView } }
  }
  if (!unsent)
    throw new UsageError(`The job in ${job.folder} has lost what it was going to send`, {
      hint: 'Run the command again',
    })
  const { params, body, receipt } = unsent
  const change: Operation = { command: operationNameOf(header), path: header.path, params, body }
  return runOperation(context, { connection, change, ids: [...job.targets], receipt, ...how })
}

/** Throws `RefusedError` where the settings lead to another server, project, organization or profile than the job's. */
async function refuseElsewhere(context: Context, connection: Connection, header: Header): Promise<void> {
  const profile = context.settings.profile?.name ?? null
  const here = { ...(await scopeOf(connection, operationNameOf(header))), base: connection.client.base.href, profile }
  const there = { ...header.path, base: header.base, profile: header.profile }
  const { noun }: OperationRow = operations[operationNameOf(header)]
  const differing = facts.find(({ name }) => (here as Facts)[name] !== (there as Facts)[name])
  if (!differing) return
  const { name, called, option } = differing
  const value = (there as Facts)[name]
  throw new RefusedError(
    `The job changes ${noun[1]} of ${called} ${value ?? 'none'}, not of ${called} ${(here as Facts)[name] ?? 'none'}`,
    {
      hint:
        value === null
          ? 'Resume it without the profile, and give what it holds by options'
          : `Resume it with ${value === sandboxBase ? '--sandbox' : `${option} ${value}`}`,
    },
  )
}

function operationNameOf({ command }: Header): OperationName {
  if (Object.hasOwn(operations, command)) return command as OperationName
  throw new UsageError(`This version does not know the command ${JSON.stringify(command)} of the job`, {
    hint: 'Resume it with the version that began it',
  })
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
