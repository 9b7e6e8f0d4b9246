/**
 * A job is a stored run of one or more targets, which can be resumed after any interruption: a folder (0700) with
 * - `job.json`: the description of the run, with the digests of the next two files;
 * - `targets`: the fixed ids, one per line;
 * - `unsent.json`: the requests to send, with their values; erased when nothing is left to try;
 * - `journal`, `journal.2`, …: the outcome of each target (`generation.ts`).
 */
import { type Dirent, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Failure, RefusedError, UsageError } from '../errors.ts'
import { digestOfBytes } from '../files/digest.ts'
import { readRegularFile } from '../files/regular-file.ts'
import { cannotRead, codeOf } from '../files/system-error.ts'
import { randomSuffix } from '../files/write.ts'
import type { Host } from '../host.ts'
import type { Check } from '../json/checks.ts'
import { encode } from '../json/exact.ts'
import { readOwn } from '../json/own.ts'
import { nearest } from '../text/nearest.ts'
import type { BackupFile } from './backup.ts'
import { type JobHeader, type JobLocation, readHeader } from './job-header.ts'
import type { Counts, JournalEntry, SavedEntry } from './journal/entry.ts'
import { AlteredError, type JournalContent, readJournal } from './journal/read-journal.ts'
import { leaseOf } from './lease.ts'

export interface ListedJob extends JobLocation {
  readonly header: JobHeader
  readonly counts: Counts
}

export interface Job extends JobLocation, JournalContent {
  readonly header: JobHeader
  readonly digest: string
  readonly targets: readonly string[]
}

export function jobsFolder(stateFolder: string): string {
  return join(stateFolder, 'jobs')
}

/** Throws `UsageError` unless exactly one job has the name or begins with it; if several do, those for which `isHere` is true are preferred. */
export function findJob(jobs: string, name: string, isHere = (_: JobLocation) => true): JobLocation {
  const names = jobNames(jobs)
  const matching = names.includes(name) ? [name] : names.filter(one => name !== '' && one.startsWith(name))
  const located = matching.map(one => ({ name: one, folder: join(jobs, one) }))
  const here = located.filter(isHere)
  const [only, ...others] = here.length > 0 ? here : located
  if (only && others.length === 0) return only
  if (only) {
    throw new UsageError(`${others.length + 1} jobs begin with ${JSON.stringify(name)}`, {
      hint: `Give more of the id, such as ${only.name}`,
    })
  }
  const near = nearest(name, names)
  throw new UsageError(`There is no job ${JSON.stringify(name)}`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics jobs list',
  })
}

/** Throws `UsageError` for an unknown or unreadable job and one of another version, `RefusedError` for an altered one. */
export function openJob(jobs: string, name: string): Job {
  const location = findJob(jobs, name)
  return reading(location, () => {
    const { header, digest } = readHeader(location)
    const bytes = readRegularFile(join(location.folder, 'targets'))
    if (digestOfBytes(bytes) !== header.targets) throw new AlteredError('The targets were changed')
    const targets = bytes.toString().split('\n').slice(0, -1)
    return { ...location, header, digest, targets, ...readJournal(location.folder, header.total, digest) }
  })
}

/** In order. Throws the errors of `openJob`. */
export function readSaved(job: Job, onSaved: (entry: SavedEntry) => void): void {
  const onEntry = (entry: JournalEntry) => {
    if (entry[0] === 'saved') onSaved(entry)
  }
  reading(job, () => readJournal(job.folder, job.header.total, job.digest, onEntry))
}

/** The value given to `createJob`; undefined after it was erased. Throws `RefusedError` if it was changed. */
export function unsentOf<T extends object>(job: Job, isUnsent: Check<T>): T | undefined {
  const path = join(job.folder, 'unsent.json')
  if (!existsSync(path)) return undefined
  return reading(job, () => {
    const bytes = readRegularFile(path)
    const typed = (value: unknown) => (isUnsent(value) ? value : undefined)
    const unsent = digestOfBytes(bytes) === job.header.unsent ? readOwn<T>(bytes, { typed, print: encode }) : 'altered'
    if (typeof unsent === 'string') throw new AlteredError('The requests to send were changed')
    return unsent
  })
}

/** Undoing the run needs all of these; the last one was in use at the end. */
export function backupsOf({ header, state }: Job): readonly BackupFile[] {
  return [...(header.receipt.backup ? [header.receipt.backup] : []), ...state.backups]
}

export function backupPathsOf(job: Job): string[] {
  return backupsOf(job).map(({ path }) => path)
}

export function isResumable(job: ListedJob): boolean {
  return job.counts.left + job.counts.failed > 0 && isUnsentKept(job)
}

export function isUnsentKept({ folder }: Pick<JobLocation, 'folder'>): boolean {
  return existsSync(join(folder, 'unsent.json'))
}

export function eraseUnsent({ folder }: Pick<Job, 'folder'>): void {
  rmSync(join(folder, 'unsent.json'), { force: true })
}

/** Renames the folder first, so that no process works on an incomplete job. */
export function removeJob({ name, folder }: JobLocation): void {
  const aside = join(dirname(folder), `.${name}-${randomSuffix()}`)
  renameSync(folder, aside)
  rmSync(aside, { recursive: true, force: true })
}

type State = 'running' | 'interrupted' | 'failed' | 'done'

export function jobState(job: ListedJob, { processes }: Pick<Host, 'processes'>): State {
  if (leaseOf(job.folder, processes).holder) return 'running'
  if (job.counts.left > 0) return 'interrupted'
  return job.counts.failed > 0 ? 'failed' : 'done'
}

/** Throws `UsageError` if the folder cannot be read, since it may contain jobs. */
export function jobNames(jobs: string): string[] {
  return entriesOf(jobs)
    .filter(entry => !entry.isFile() && /^\w[\w-]*$/.test(entry.name))
    .map(({ name }) => name)
}

function entriesOf(jobs: string): Dirent[] {
  try {
    return readdirSync(jobs, { withFileTypes: true })
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return []
    const hint = 'Check its owner and mode, or name another folder in ANALYTICS_STATE_DIR'
    throw cannotRead(`The jobs in ${jobs}`, cause, hint)
  }
}

/** Turns errors of `read` into `UsageError` or `RefusedError`, which name the job. */
export function reading<T>({ name, folder }: JobLocation, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    if (cause instanceof AlteredError || cause instanceof RangeError || cause instanceof SyntaxError) {
      throw new RefusedError(`Job ${name} was altered, and is left as it is`, {
        hint: `${cause instanceof AlteredError ? cause.message : 'Its files are damaged'}, so it cannot be resumed. Keep its folder if somebody must look into it; analytics jobs remove ${name} deletes it`,
        cause,
      })
    }
    throw cannotRead(`The job in ${folder}`, cause, `Check its files; analytics jobs remove ${name} deletes it`)
  }
}
