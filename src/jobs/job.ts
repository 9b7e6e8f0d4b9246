/**
 * A job: what is kept of a run of more than one target, so that it can be finished after anything. A folder (0700) with
 * - `targets`: the frozen ids, one JSON string a line;
 * - `journal`: what the run is, then what became of each target (`journal.ts`);
 * - `unsent.json`: what is still to be sent, with its values; erased when all is done;
 * - `lock`: while a process works on it.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../errors.ts'
import { isHeld } from '../files/lock.ts'
import type { Host } from '../host.ts'
import { decode } from '../json/exact.ts'
import { nearest } from '../values/nearest.ts'
import { type Counts, runStateOf } from './job-state.ts'
import { type JournalContent, readCounts, readJournal } from './journal.ts'

/** The first line of the journal: what may be known of the run, values left out. */
export interface Header {
  readonly version: 1
  readonly command: string
  /** As typed; `…` stands for every value that could say something of somebody. */
  readonly options: Readonly<Record<string, boolean | number | '…'>>
  readonly base: string
  readonly profile: string | null
  readonly path: Readonly<Record<string, string>>
  readonly created_at: string
  readonly total: number
  /** SHA-256 of the file of targets. */
  readonly targets: string
}

export interface JobLocation {
  readonly name: string
  readonly folder: string
}

export interface Job extends JournalContent, JobLocation {
  readonly header: Header
}

export function jobsFolder(stateFolder: string): string {
  return join(stateFolder, 'jobs')
}

/** Where a job is, whatever state it is in. Throws `UsageError` for a name that is none. */
export function findJob(jobs: string, name: string): JobLocation {
  const folder = join(jobs, name)
  if (isName(name) && existsSync(folder)) return { name, folder }
  const near = nearest(name, jobNames(jobs))
  throw new UsageError(`There is no job ${JSON.stringify(name)}`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics jobs list',
  })
}

/** Throws `UsageError` for a name that is none, and for a job that is damaged. */
export function openJob(jobs: string, name: string): Job {
  const place = findJob(jobs, name)
  try {
    return { ...place, ...readJournal(join(place.folder, 'journal'), headerOf) }
  } catch (cause) {
    throw damaged(place.folder, cause)
  }
}

/** A job among others: how many of its targets stand how. */
export interface Listed extends JobLocation {
  readonly header: Header
  readonly counts: Counts
}

/** The jobs of this machine, the newest first; those that cannot be read are told of and left out. */
export function listJobs(jobs: string, onDamaged: (error: UsageError) => void): Listed[] {
  const read = jobNames(jobs).flatMap((name): Listed[] => {
    const folder = join(jobs, name)
    try {
      return [{ name, folder, ...readCounts(join(folder, 'journal'), headerOf) }]
    } catch (cause) {
      onDamaged(damaged(folder, cause))
      return []
    }
  })
  return read.sort((a, b) => (a.header.created_at < b.header.created_at ? 1 : -1))
}

/** The frozen ids. Throws `UsageError` when they are not those that the job began with. */
export function targetsOf({ folder, header }: Job): string[] {
  const text = readFileSync(join(folder, 'targets'), 'utf8')
  if (digest(text) !== header.targets) throw damaged(folder)
  const ids = text.split('\n').slice(0, -1)
  return ids.map(line => JSON.parse(line) as string)
}

/** What is still to be sent, as it was given to `createJob`; undefined where it was erased because nothing is left. */
export function unsentOf({ folder }: Job): unknown {
  const path = join(folder, 'unsent.json')
  return existsSync(path) ? decode(readFileSync(path)) : undefined
}

/** Nothing is left to be sent: what would have been goes, values and all. */
export function eraseUnsent({ folder }: Job): void {
  rmSync(join(folder, 'unsent.json'), { force: true })
}

/** For who holds its lock. It is out of sight before it is taken apart, so that nobody goes on with half of it. */
export function removeJob({ name, folder }: JobLocation): void {
  const aside = join(dirname(folder), `.${name}-${Math.random().toString(36).slice(2, 8)}`)
  renameSync(folder, aside)
  rmSync(aside, { recursive: true, force: true })
}

export type State = 'running' | 'interrupted' | 'failed' | 'done'

export function jobState(job: JobLocation & { counts: Counts }, { processes }: Pick<Host, 'processes'>): State {
  return isHeld(lockPath(job), processes) ? 'running' : runStateOf(job)
}

export function lockPath({ folder }: JobLocation): string {
  return join(folder, 'lock')
}

function jobNames(jobs: string): string[] {
  return existsSync(jobs) ? readdirSync(jobs).filter(isName) : []
}

function isName(name: string): boolean {
  return /^\w[\w-]*$/.test(name)
}

function headerOf(line: string): Header {
  const header = JSON.parse(line) as Header
  if (header.version !== 1) throw new SyntaxError('Not a job of this version')
  return header
}

function damaged(folder: string, cause?: unknown): UsageError {
  return new UsageError(`The job in ${folder} is damaged, and was left as it is`, {
    hint: 'Remove it with analytics jobs remove, or move the folder away',
    cause,
  })
}

/** SHA-256, as a header has it. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
