/**
 * A job: what is kept of a run of more than one target, so that it can be finished after anything. A folder (0700) with
 * - `targets`: the frozen ids, one JSON string a line;
 * - `journal`: what the run is, then what became of each target (`journal.ts`);
 * - `unsent.json`: what is still to be sent, with its values; erased when all is done;
 * - `lock`: while a process works on it.
 */
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { isHeld } from '../files/lock.ts'
import { writePrivateFile } from '../files/private-file.ts'
import type { Host } from '../host.ts'
import { decode, encode } from '../json/exact.ts'
import { nearest } from '../values/nearest.ts'
import { type Change, type ChangeName, changes } from './changes.ts'
import { readJournal, type Written } from './journal.ts'
import { stateOf } from './standing.ts'

/** The first line of the journal: what may be known of the run, values left out. */
export interface Header {
  readonly version: 1
  readonly command: ChangeName
  /** As typed; `…` stands for every value that could say something of somebody. */
  readonly options: Readonly<Record<string, boolean | number | '…'>>
  readonly base: string
  readonly profile: string | null
  readonly path: Change['path']
  readonly created_at: string
  readonly total: number
  /** SHA-256 of the file of targets. */
  readonly targets: string
}

/** What is still to be sent, and where it is to be told of. */
export interface Unsent {
  readonly params: Change['params']
  readonly body?: unknown
  readonly receipt?: { readonly path: string; readonly reason: string | null } | undefined
}

export interface Place {
  readonly name: string
  readonly folder: string
}

export interface Job extends Written, Place {
  readonly header: Header
}

export function jobsFolder(stateFolder: string): string {
  return join(stateFolder, 'jobs')
}

/** What is known of a job before it is kept. */
export type Begun = Omit<Header, 'version' | 'created_at' | 'total' | 'targets'>

/** Keeps a job on disk before anything of it is sent. Throws `UsageError` where that cannot be done. */
export function createJob(
  jobs: string,
  begun: Begun,
  ids: readonly string[],
  unsent: Unsent,
  { clock, random }: Pick<Host, 'clock' | 'random'>,
): Job {
  const created_at = new Date(clock.now()).toISOString()
  const targets = ids.map(id => `${JSON.stringify(id)}\n`).join('')
  const header: Header = { version: 1, ...begun, created_at, total: ids.length, targets: digest(targets) }
  const stamp = created_at.replace(/[-:]|\..*/g, '').replace('T', '-')
  const stem = `${stamp}-${Math.floor(random() * 36 ** 4)
    .toString(36)
    .padStart(4, '0')}`
  // Made under a name that nobody looks for: a job is there whole, or not at all.
  const fresh = join(jobs, `.${stem}-${Math.random().toString(36).slice(2, 8)}`)
  try {
    makeFolder(jobs)
    makeFolder(fresh)
    writePrivateFile(join(fresh, 'targets'), 'job', targets)
    writePrivateFile(join(fresh, 'unsent.json'), 'job', encode(unsent))
    writePrivateFile(join(fresh, 'journal'), 'job', `${JSON.stringify(header)}\n`)
    return openJob(jobs, settle(fresh, jobs, stem))
  } catch (cause) {
    drop(fresh)
    throw new UsageError(`The job cannot be kept in ${jobs}`, {
      hint: 'Make room there, or give another folder by ANALYTICS_STATE_DIR',
      cause,
    })
  }
}

/** Gives the folder the first name that is free, and returns it. */
function settle(fresh: string, jobs: string, stem: string): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? stem : `${stem}-${n}`
    if (existsSync(join(jobs, name))) continue
    try {
      renameSync(fresh, join(jobs, name))
      return name
    } catch (error) {
      // Another process was faster.
      if (!existsSync(join(jobs, name))) throw error
    }
  }
}

/** Where a job is, whatever state it is in. Throws `UsageError` for a name that is none. */
export function findJob(jobs: string, name: string): Place {
  const folder = join(jobs, name)
  if (isName(name) && existsSync(folder)) return { name, folder }
  const near = nearest(name, jobNames(jobs))
  throw new UsageError(`There is no job ${JSON.stringify(name)}`, {
    hint: near ? `Did you mean ${near}?` : 'See analytics jobs list',
  })
}

/** What is left of a job that could not be made; where even that cannot be taken away, it harms nobody. */
function drop(fresh: string): void {
  try {
    rmSync(fresh, { recursive: true, force: true })
  } catch {}
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

/** The jobs of this machine, the newest first; those that cannot be read are told of and left out. */
export function listJobs(jobs: string, onDamaged: (error: UsageError) => void): Job[] {
  const read = jobNames(jobs).flatMap(name => {
    try {
      return [openJob(jobs, name)]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      onDamaged(error)
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

/** What is still to be sent; undefined where it was erased because nothing is. */
export function unsentOf({ folder }: Job): Unsent | undefined {
  const path = join(folder, 'unsent.json')
  return existsSync(path) ? (decode(readFileSync(path)) as Unsent) : undefined
}

/** Nothing is left to be sent: what would have been goes, values and all. */
export function eraseUnsent({ folder }: Job): void {
  rmSync(join(folder, 'unsent.json'), { force: true })
}

export function removeJob({ folder }: Place): void {
  rmSync(folder, { recursive: true, force: true })
}

export type State = 'running' | 'interrupted' | 'failed' | 'done'

export function stateOfJob(job: Job, { processes }: Pick<Host, 'processes'>): State {
  return isHeld(lockOf(job), processes) ? 'running' : stateOf(job.standing)
}

export function lockOf({ folder }: Place): string {
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
  if (header.version !== 1 || !Object.hasOwn(changes, header.command))
    throw new SyntaxError('Not a job of this version')
  return header
}

function damaged(folder: string, cause?: unknown): UsageError {
  return new UsageError(`The job in ${folder} is damaged, and was left as it is`, {
    hint: 'Remove it with analytics jobs remove, or move the folder away',
    cause,
  })
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
