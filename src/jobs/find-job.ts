/** Finds, lists and removes the jobs of a folder. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, UsageError } from '../errors.ts'
import { cannotRead, codeOf, reasonOf } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { holderOf } from '../locks/lock.ts'
import { nearest } from '../text/nearest.ts'
import { type Job, jobsFolder, openJob, otherFolder, refuseHeld } from './job.ts'
import type { Journal } from './journal.ts'

/** Throws `UsageError` unless exactly one job has the name or begins with it. */
export function findJob(jobs: string, name: string): string {
  const names = jobNames(jobs)
  const matching = names.includes(name) ? [name] : names.filter(one => name !== '' && one.startsWith(name))
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) {
    throw new UsageError(`${matching.length} jobs begin with ${JSON.stringify(name)}`, {
      hint: `Give more of the id, such as ${only}`,
    })
  }
  const near = nearest(name, names)
  throw new UsageError(`There is no job ${JSON.stringify(name)}`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics jobs list',
  })
}

/** Newest first; `onUnread` gets the failures of those that cannot be read. */
export function listJobs(jobs: string, onUnread: (failure: Failure) => void): readonly Job[] {
  const read = jobNames(jobs).flatMap(name => {
    try {
      return [openJob(jobs, name)]
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      onUnread(error)
      return []
    }
  })
  const key = ({ name, head }: Job) => `${head.started_at} ${name}`
  return read.sort((a, b) => key(b).localeCompare(key(a), 'en', { numeric: true }))
}

/** Throws `UsageError` if the folder cannot be read, since it may contain jobs. */
function jobNames(jobs: string): string[] {
  try {
    return readdirSync(jobs).filter(name => /^\w[\w-]*$/.test(name) && existsSync(join(jobs, name, 'job.json')))
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return []
    throw cannotRead(`The jobs in ${jobs}`, cause, otherFolder)
  }
}

export function stateOf({ folder }: Job, { counts }: Journal, { processes }: Pick<Host, 'processes'>) {
  if (holderOf(join(folder, 'lock'), processes) !== undefined) return 'running'
  if (counts.left > 0) return 'interrupted'
  return counts.failed > 0 ? 'failed' : 'done'
}

/** Throws `RefusedError` if a process works on the job, `UsageError` if its folder cannot be removed. */
export function removeJob(jobs: string, name: string, host: Pick<Host, 'processes'>): void {
  const folder = join(jobs, name)
  refuseHeld({ name, folder }, host)
  try {
    // Without it there is no job, whatever is left of the folder.
    rmSync(join(folder, 'job.json'))
    rmSync(folder, { recursive: true, force: true })
  } catch (cause) {
    throw new UsageError(`The job in ${folder} cannot be removed${reasonOf(cause)}`, {
      hint: 'Its folder must be writable',
      cause,
    })
  }
}

/** Of one server; those that are running stay. */
export function removeJobsOf(base: string, stateFolder: string, host: Pick<Host, 'processes'>): void {
  const jobs = jobsFolder(stateFolder)
  for (const { name, head, folder } of listJobs(jobs, () => undefined)) {
    if (head.base_url !== base || holderOf(join(folder, 'lock'), host.processes) !== undefined) continue
    removeJob(jobs, name, host)
  }
}
