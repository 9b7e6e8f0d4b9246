/**
 * A job is a run that is kept, so that it can be resumed after any interruption: a folder (0700) with
 * - `job.json`: the header of its receipt, and how it runs;
 * - `targets`: the frozen ids, one per line;
 * - `values.json`: the values still to be sent; erased when the job is done;
 * - `journal`: the outcome of each target (`journal.ts`);
 * - `lock`: the process that works on it.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Failure, RefusedError, UsageError } from '../errors.ts'
import { files, isForeign } from '../files/platform.ts'
import { makePrivateFolder, readRegularFile, writeAll, writePrivateFile } from '../files/regular-file.ts'
import { cannotRead, cannotWrite, codeOf, raiseFileLimit, writing } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { decode, encode, isObject, isText, type JsonObject } from '../json/exact.ts'
import { holderOf, tryLock } from '../locks/lock.ts'
import { Journal } from './journal.ts'
import { digestOfTargets, type JobHeader } from './receipt.ts'

export interface Job {
  readonly name: string
  readonly folder: string
  readonly header: JobHeader
  readonly total: number
  readonly backups: readonly string[]
  readonly concurrency: number
  readonly maxFailures: number | undefined
}

const version = 6

const stateFolderHint = 'Check its permissions, or name another folder in ANALYTICS_STATE_DIR'

export function jobsFolder(stateFolder: string): string {
  const jobs = join(stateFolder, 'jobs')
  for (const folder of [stateFolder, jobs]) refuseForeign(folder)
  return jobs
}

function refuseForeign(folder: string): void {
  if (!isForeign(folder)) return
  throw new RefusedError(`${folder} belongs to another user, or other users can write to it`, { hint: stateFolderHint })
}

type HeldJob = ReturnType<typeof lockJob>

/**
 * On disk when it returns, and held by this process; if it throws, nothing is left of it. `values`: the values to be sent.
 * Throws `UsageError`, `UnavailableError` if the disk is full.
 */
export function createJob(
  jobs: string,
  { header, targets, values, ...facts }: NewJob,
  host: Pick<Host, 'clock' | 'random' | 'processes'>,
): HeldJob {
  let folder: string | undefined
  let held: HeldJob | undefined
  try {
    makePrivateFolder(jobs)
    const name = makeFolder(jobs, host)
    folder = join(jobs, name)
    const job = { ...facts, name, folder, header: { ...header, job: name }, total: targets.length }
    writeNew(join(folder, 'targets'), `${targets.join('\n')}\n`)
    writeNew(join(folder, 'values.json'), encode(values))
    // Held before others can see it: `jobs resume --last` would take it.
    held = lockJob(job, host)
    saveJob(job)
    files.sync(jobs)
    return held
  } catch (cause) {
    held?.journal.close()
    held?.lock.release()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    if (cause instanceof Failure) throw cause
    throw cannotWrite(`The job cannot be saved in ${jobs}`, cause, raiseFileLimit(cause) ?? stateFolderHint)
  }
}

interface NewJob extends Pick<Job, 'header' | 'backups' | 'concurrency' | 'maxFailures'> {
  readonly targets: readonly string[]
  readonly values: object
}

type JobFile = JobHeader & Pick<Job, 'total' | 'backups' | 'concurrency' | 'maxFailures'>

/** Written last: a folder without it is not a job. */
export function saveJob({ folder, header, total, backups, concurrency, maxFailures }: Job): void {
  const text = JSON.stringify({ version, ...header, total, backups, concurrency, maxFailures }, null, 2)
  writePrivateFile(join(folder, 'job.json'), 'The job', `${text}\n`)
}

function makeFolder(jobs: string, { clock, random }: Pick<Host, 'clock' | 'random'>): string {
  const digits = new Date(clock.now()).toISOString().replace(/\D/g, '')
  const end = Math.floor(random() * 36 ** 4).toString(36)
  const stem = `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${end.padStart(4, '0')}`
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`
    try {
      mkdirSync(join(jobs, name), { mode: 0o700 })
      return name
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

function writeNew(path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeAll(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Throws `UsageError` for a job that cannot be read and one of another version, `RefusedError` for one of another user. */
export function openJob(jobs: string, name: string): Job {
  const folder = join(jobs, name)
  refuseForeign(folder)
  const read: unknown = reading(folder, () => JSON.parse(readRegularFile(join(folder, 'job.json')).toString()))
  const { version: own, ...file } = isObject(read) ? read : {}
  if (own !== version) {
    throw new UsageError(`Job ${name} was made by another version of analytics`, {
      hint: 'Use that version to finish it, or remove it with analytics jobs remove',
    })
  }
  if (!isJobFile(file)) {
    throw new UsageError(`The job.json in ${folder} is damaged`, {
      hint: 'To remove the job: analytics jobs remove JOB',
    })
  }
  const { total, backups, concurrency, maxFailures, ...header } = file
  return { name, folder, header, total, backups, concurrency, maxFailures }
}

/** This version wrote the file, so it has either all fields or is damaged. */
function isJobFile(file: JsonObject): file is JsonObject & JobFile {
  const { total, backups, path, command, base_url, started_at } = file
  const areTexts = [command, base_url, started_at].every(isText)
  return typeof total === 'number' && Array.isArray(backups) && isObject(path) && areTexts
}

/** Throws `UsageError` if the list was changed, since the outcomes would be those of other targets. */
export function readTargets({ folder, header, total }: Job): readonly string[] {
  return reading(folder, () => {
    const targets = readRegularFile(join(folder, 'targets')).toString().split('\n')
    targets.pop()
    if (targets.length === total && digestOfTargets(targets) === header.targets_sha256) return targets
    throw new UsageError(`The list of targets in ${folder} was changed, so the outcomes cannot be matched to it`, {
      hint: 'Start a new command with the pending ids',
    })
  })
}

export function journalOf({ folder, total }: Job): Journal {
  return reading(folder, () => Journal.read(join(folder, 'journal'), total))
}

/** Throws `RefusedError` if another process works on the job. */
export function lockJob(job: Job, host: Pick<Host, 'clock' | 'processes'>) {
  const path = join(job.folder, 'lock')
  return writing(`The job in ${job.folder} cannot be written`, stateFolderHint, () => {
    const lock = tryLock(path, host)
    if (!lock) throw runningJob(job.name, holderOf(path, host.processes))
    return { job, lock, journal: Journal.open(join(job.folder, 'journal'), job.total, { lock, clock: host.clock }) }
  })
}

export function refuseHeld({ name, folder }: Pick<Job, 'name' | 'folder'>, { processes }: Host): void {
  const holder = holderOf(join(folder, 'lock'), processes)
  if (holder !== undefined) throw runningJob(name, holder)
}

function runningJob(name: string, holder = 'another process'): RefusedError {
  return new RefusedError(`Job ${name} is in use by ${holder}`, {
    hint: 'Wait until that process ends. If it is gone already, try again in a minute',
  })
}

export function readJobValues({ folder }: Job): unknown {
  return reading(folder, () => {
    try {
      return decode(readRegularFile(join(folder, 'values.json')))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  })
}

export function eraseValues({ folder }: Job): void {
  rmSync(join(folder, 'values.json'), { force: true })
}

function reading<T>(folder: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw cannotRead(`The job in ${folder}`, cause, 'Check its files, or run analytics jobs remove')
  }
}
