import { optionalArgument } from '../../cli/arguments.ts'
import { flag } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { isStrangers } from '../../files/permissions.ts'
import { findJob, type Job, jobsFolder, type ListedJob, openJob } from '../../jobs/job.ts'
import {
  type JobFacts,
  type JobHeader,
  type JobLocation,
  OtherVersionError,
  readHeader,
} from '../../jobs/job-header.ts'
import { listJobs } from '../../jobs/list-jobs.ts'
import { actorOf } from '../../runs/receipt-facts.ts'
import { countOf } from '../../text/grouped.ts'
import { sandboxBase } from '../../values/url.ts'
import { lineAtJob, placeInUse } from './place-in-use.ts'

export const onEveryServer = flag('the jobs of every server')

/** Of the commands for one job. */
export const jobChoice = {
  args: { job: optionalArgument('JOB', 'id of the job, or its beginning if no other job has it') },
  options: { last: flag('the newest job of yours on this server and project') },
}

interface Choice {
  readonly job: string | undefined
  readonly last: boolean
}

/** Throws `UsageError` unless there is one of both. Undefined for `--last`. */
export function typedJob({ job, last }: Choice): string | undefined {
  if (last && job !== undefined)
    throw new UsageError('--last cannot be combined with JOB', { hint: 'Leave one of them out' })
  if (!last && job === undefined) throw new UsageError('No job given', { hint: 'Give JOB, or --last' })
  return job
}

/** Prefers the server in use. A job that cannot be read may be of any server. */
export function findJobInUse(context: Context, name: string): JobLocation {
  const server = placeInUse(context)?.base
  const isHere = (job: JobLocation) => server === undefined || (placeOf(job)?.base ?? server) === server
  return findJob(jobsFolder(context.stateFolder()), name, isHere)
}

/** Sends no request. Throws the errors of `openJob`, and `UsageError` for a job of another server. */
export async function openChosen(context: Context, choice: Choice, verb: string): Promise<Job> {
  const name = typedJob(choice)
  const found = name === undefined ? await lastJob(context, isInProject(context)) : jobInUse(context, name, verb)
  if (!found) {
    throw new UsageError('No job of yours is kept here for this server and project', {
      hint: 'See analytics jobs list --everywhere',
    })
  }
  return openJob(jobsFolder(context.stateFolder()), found.name)
}

/** Throws `UsageError` for a job of another server. */
export function jobInUse(context: Context, name: string, verb: string): JobLocation {
  const server = placeInUse(context)?.base
  const job = findJobInUse(context, name)
  const place = placeOf(job)
  if (!place || server === undefined || place.base === server) return job
  throw new UsageError(`Job ${job.name} is of ${nameOf(place.base)}, not of ${nameOf(server)}`, {
    hint: `Use ${lineAtJob(context, place, ['jobs', verb, job.name])}`,
  })
}

const nameOf = (base: string) => (base === sandboxBase ? 'the sandbox' : base)

/** Undefined if it does not say its server, which whoever opens the job reports. */
function placeOf(job: JobLocation): JobFacts | undefined {
  try {
    return readHeader(job).header
  } catch (error) {
    const facts = error instanceof OtherVersionError ? error.job : undefined
    return facts?.base ? facts : undefined
  }
}

type IsHere = (header: JobHeader) => boolean | Promise<boolean>

/** The newest job of our own for `--last`. */
export async function lastJob(
  context: Context,
  isHere: IsHere,
  may: (job: ListedJob) => boolean = () => true,
): Promise<JobLocation | undefined> {
  for (const job of jobsInUse(context).jobs) {
    if (isOurs(context, job, job.header) && may(job) && (await isHere(job.header))) return job
  }
  return undefined
}

/** Sends no request, so a project or an organization that is not named fits every job. */
function isInProject(context: Context): IsHere {
  const { project, organization } = placeInUse(context) ?? {}
  const agree = (here: string | undefined, there: string | undefined) =>
    here === undefined || here === '@current' || there === undefined || here === there
  return ({ path }) => agree(project, path.project_id) && agree(organization, path.parent_lookup_organization_id)
}

/** False for a job that another person began, or that another user may have put here. */
export function isOurs(context: Context, { folder }: JobLocation, { receipt }: JobHeader): boolean {
  const { user, ci } = actorOf(context)
  // Each run of CI may be on another machine, and so may each container.
  return receipt.actor.user === user && receipt.actor.ci === ci && !isStrangers(folder)
}

interface ForeignJob extends JobLocation {
  readonly header: JobFacts
}

interface JobsInUse {
  readonly jobs: readonly ListedJob[]
  /** Jobs of another version of this program. */
  readonly foreign: readonly ForeignJob[]
  /** Jobs of other servers. */
  readonly others: readonly ForeignJob[]
  /** Some jobs, perhaps of this server, could not be read. */
  readonly isIncomplete: boolean
}

/** Newest first. All jobs with --everywhere, or if no server is given. */
export function jobsInUse(context: Context, isEverywhere = false): JobsInUse {
  const { messages, stateFolder } = context
  let isIncomplete = false
  const foreign: ForeignJob[] = []
  const all = listJobs(jobsFolder(stateFolder()), ({ failure, name, folder }) => {
    if (failure instanceof OtherVersionError) {
      foreign.push({ name, folder, header: failure.job })
      return
    }
    isIncomplete = true
    messages.warn(failure.message)
  })
  const server = isEverywhere ? undefined : placeInUse(context)?.base
  const isIn = ({ header }: ForeignJob) => server === undefined || header.base === server
  const others = [...all, ...foreign].filter(job => !isIn(job))
  return { jobs: all.filter(isIn), foreign: foreign.filter(isIn), others, isIncomplete }
}

export function ofOthers(count: number, what: 'shown' | 'removed'): string {
  const jobs = countOf(count, 'job of other servers is', 'jobs of other servers are')
  return `${jobs} not ${what}: use --everywhere`
}
