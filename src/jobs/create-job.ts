/** Creates a job atomically: its folder is filled under a hidden name, and renamed when it is whole. */
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import type { Clock, Host } from '../host.ts'
import { encode } from '../json/exact.ts'
import { digest, type Header } from './job.ts'
import { type LockedJob, lockJob } from './locked-job.ts'

/** What the caller of `createJob` says of a job; the rest of the header follows from the targets and the clock. */
export type NewJob = Omit<Header, 'version' | 'created_at' | 'total' | 'targets'>

/**
 * Keeps a job on disk and returns it locked. `unsent` is any exact JSON value: what is to be sent to each target.
 * Throws `UsageError` where the job cannot be kept.
 */
export function createJob(
  jobs: string,
  begun: NewJob,
  ids: readonly string[],
  unsent: unknown,
  host: Pick<Host, 'clock' | 'random' | 'processes'>,
): LockedJob {
  const { clock, random } = host
  const created_at = new Date(clock.now()).toISOString()
  const targets = ids.map(id => `${JSON.stringify(id)}\n`).join('')
  const header: Header = { version: 1, ...begun, created_at, total: ids.length, targets: digest(targets) }
  const stamp = created_at.replace(/[-:]|\..*/g, '').replace('T', '-')
  const stem = `${stamp}-${Math.floor(random() * 36 ** 4)
    .toString(36)
    .padStart(4, '0')}`
  const fresh = join(jobs, `.${stem}-${Math.random().toString(36).slice(2, 8)}`)
  try {
    makeFolder(jobs)
    sweep(jobs, clock)
    makeFolder(fresh)
    writePrivateFile(join(fresh, 'targets'), 'job', targets)
    writePrivateFile(join(fresh, 'unsent.json'), 'job', encode(unsent))
    writePrivateFile(join(fresh, 'journal'), 'job', `${JSON.stringify(header)}\n`)
    return lockJob(jobs, settle(fresh, jobs, stem), host)
  } catch (cause) {
    drop(fresh)
    throw new UsageError(`The job cannot be kept in ${jobs}`, {
      hint: 'Make room there, or name another folder in ANALYTICS_STATE_DIR',
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

/** In ms: no job takes nearly as long to be made. */
const abandoned = 24 * 60 * 60 * 1000

/** Takes away what is left of jobs whose process was killed while it made them. */
function sweep(jobs: string, { now }: Pick<Clock, 'now'>): void {
  for (const name of readdirSync(jobs)) {
    if (!/^\.\d{8}-/.test(name)) continue
    const made = statSync(join(jobs, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (now() - made > abandoned) drop(join(jobs, name))
  }
}

/** What is left of a job that could not be made; where even that cannot be taken away, it harms nobody. */
function drop(fresh: string): void {
  try {
    rmSync(fresh, { recursive: true, force: true })
  } catch {}
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}
