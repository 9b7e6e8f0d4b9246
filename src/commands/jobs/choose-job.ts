import { organizationOf } from '../../api/client.ts'
import { flag, optionalArgument } from '../../cli/command.ts'
import { configOf } from '../../config/current.ts'
import type { Context } from '../../context.ts'
import { type Failure, UsageError } from '../../errors.ts'
import { findJob, listJobs, readExisting } from '../../jobs/find-job.ts'
import { type Job, jobsFolder, openJob } from '../../jobs/job.ts'
import { parseBaseUrl, sandboxBase } from '../../values/url.ts'

export const jobChoice = {
  args: { job: optionalArgument('JOB', 'id of the job, or a unique prefix of it') },
  options: { last: flag('use the newest job of this server and project') },
}

/** Throws `UsageError` unless either JOB or --last names a job. */
export async function chooseJob(context: Context, job: string | undefined, last: boolean): Promise<Job> {
  if (last && job !== undefined) {
    throw new UsageError('--last cannot be combined with JOB', { hint: 'Remove one of them' })
  }
  if (last) return lastJob(context)
  if (job === undefined) throw new UsageError('No job given', { hint: 'Give the id of a job, or use --last' })
  const jobs = jobsFolder(context.stateFolder())
  return openJob(jobs, findJob(jobs, job))
}

async function lastJob(context: Context): Promise<Job> {
  const { base, project, organization } = await scopeInUse(context)
  const fits = (inUse: string | undefined, ofJob: string | undefined) =>
    inUse === undefined || ofJob === undefined || inUse === ofJob
  const unread: [Failure, string][] = []
  const last = listJobs(jobsFolder(context.stateFolder()), (...one) => unread.push(one)).find(
    ({ header }) =>
      (base === undefined || header.base_url === base) &&
      fits(project, header.path.project_id) &&
      fits(organization, header.path.parent_lookup_organization_id),
  )
  // An unreadable job may be the newest, because job names begin with the time.
  const newer = unread.find(([, folder]) => !last || folder > last.folder)
  if (newer) throw newer[0]
  if (last) return last
  throw new UsageError('No job was found for this server and project', { hint: 'See analytics jobs list' })
}

/** Newest first. Warns about each job that cannot be read. */
export function readJobs<T>({ stateFolder, messages }: Context, read: (job: Job) => T, limit?: number): readonly T[] {
  const onUnread = ({ message }: Failure) => messages.warn(message)
  const listed = listJobs(jobsFolder(stateFolder()), onUnread).slice(0, limit)
  return listed.flatMap(job => readExisting(job.folder, onUnread, () => read(job)))
}

/** Undefined for a server, project or organization that is not given; in the sandbox the project is the first one. */
async function scopeInUse({ config, host, connect, connectAs }: Context) {
  const resolved = configOf(config.options, host, true)
  const { sandbox, baseUrl, project, organization } = resolved.values
  // The config of a command that sends no requests has no profile.
  const connection = () => (config.profile?.name === resolved.profile?.name ? connect() : connectAs(resolved))
  return {
    base: sandbox ? sandboxBase : baseUrl && parseBaseUrl(baseUrl, true).href,
    project: sandbox || project === '@current' ? await (await connection()).resolvedProject() : project,
    organization:
      organization === '@current' ? await organizationOf((await connection()).client, '@current') : organization,
  }
}
