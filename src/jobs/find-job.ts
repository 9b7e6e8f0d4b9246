import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, UsageError } from '../errors.ts'
import { files } from '../files/platform.ts'
import { cannotRead, codeOf, isFull, reasonOf } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { holderOf, type Lock, tryLock } from '../locks/lock.ts'
import { nearest } from '../text/nearest.ts'
import { type Job, journalOf, openJob } from './job.ts'
import type { Journal } from './journal.ts'

/** Throws `UsageError` unless exactly one job has the name or begins with it. */
export function findJob(jobs: string, name: string): string {
  const names = jobNames(jobs)
  const matching = names.includes(name) ? [name] : names.filter(one => name !== '' && one.startsWith(name))
  const [only, ...others] = matching
  if (others.length > 0) {
    const what = `${matching.length} jobs begin with ${JSON.stringify(name)}`
    throw new UsageError(what, { hint: `Use more of the id, such as ${only}` })
  }
  if (only !== undefined) return only
  const near = nearest(name, names)
  throw new UsageError(`Job ${JSON.stringify(name)} was not found`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics jobs list',
  })
}

type OnUnread = (failure: Failure, folder: string) => void

export function listJobs(jobs: string, onUnread: OnUnread): readonly Job[] {
  const read = jobNames(jobs).flatMap(name => readExisting(join(jobs, name), onUnread, () => openJob(jobs, name)))
  const key = ({ name, header }: Job) => `${header.started_at} ${name}`
  return read.sort((a, b) => key(b).localeCompare(key(a), 'en', { numeric: true }))
}

/** Empty if another process removed the job. Passes other failures to `onUnread`. */
export function readExisting<T>(folder: string, onUnread: OnUnread, read: () => T): readonly T[] {
  try {
    return [read()]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (existsSync(join(folder, 'job.json'))) onUnread(error, folder)
    return []
  }
}

/** Throws `UsageError` if the folder cannot be read, since it may contain jobs. */
function jobNames(jobs: string): string[] {
  try {
    return readdirSync(jobs).filter(name => /^\w[\w-]*$/.test(name) && existsSync(join(jobs, name, 'job.json')))
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return []
    throw cannotRead(`The jobs in ${jobs}`, cause, 'Check the permissions of the folder')
  }
}

export function progressOf(job: Job, { processes }: Pick<Host, 'processes'>): { state: string; journal: Journal } {
  // Before the journal: a run that ends in between is then done, not interrupted.
  const isHeld = holderOf(join(job.folder, 'lock'), processes) !== undefined
  const journal = journalOf(job)
  const { left, failed } = journal.counts
  if (isHeld) return { state: 'running', journal }
  if (left > 0) return { state: 'interrupted', journal }
  return { state: failed > 0 ? 'failed' : 'done', journal }
}

/** False while another process works on the job. Throws `UsageError` if its folder cannot be removed. */
export function removeJob(jobs: string, name: string, host: Pick<Host, 'clock' | 'processes'>): boolean {
  const folder = join(jobs, name)
  try {
    const lock = lockToRemove(folder, host)
    if (!lock) return false
    files.remove(folder, () => lock.release())
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return true
    throw new UsageError(`The job in ${folder} cannot be removed${reasonOf(cause)}`, {
      hint: 'Check the permissions of the folder',
      cause,
    })
  }
  return true
}

/** On a full disk no other process can take the lock either. */
function lockToRemove(folder: string, host: Pick<Host, 'clock' | 'processes'>): Pick<Lock, 'release'> | undefined {
  const path = join(folder, 'lock')
  try {
    return tryLock(path, host)
  } catch (error) {
    if (!isFull(error)) throw error
    return holderOf(path, host.processes) === undefined ? { release: () => undefined } : undefined
  }
}
