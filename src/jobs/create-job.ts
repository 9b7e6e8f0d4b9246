/** Creates a job atomically: fills a hidden folder, and renames it when everything is on disk. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { RefusedError } from '../errors.ts'
import { digestOfBytes } from '../files/digest.ts'
import { makePrivateFolder } from '../files/make-folder.ts'
import { cannotWrite, raiseFileLimit } from '../files/system-error.ts'
import { randomSuffix, syncFolder, writeAll } from '../files/write.ts'
import type { Clock, Host } from '../host.ts'
import { encode } from '../json/exact.ts'
import { ownHolder } from '../locks/holder.ts'
import { isUnsentKept } from './job.ts'
import { encodeHeader, type JobHeader } from './job-header.ts'
import { JobState } from './job-state.ts'
import { createGeneration, generationPath, seedOf } from './journal/generation.ts'
import { holdJob, type LockedJob } from './locked-job.ts'

export type NewJob = Omit<JobHeader, 'version' | 'created_at' | 'total' | 'targets' | 'unsent'>

/** `unsent`: the exact JSON to send. Throws `RefusedError` if its plan has a job, otherwise `UsageError`. */
export function createJob(
  jobs: string,
  run: NewJob,
  ids: readonly string[],
  unsent: unknown,
  host: Pick<Host, 'clock' | 'random' | 'processes'>,
): LockedJob {
  const { clock, random, processes } = host
  const created_at = new Date(clock.now()).toISOString()
  const targets = Buffer.from([...ids, ''].join('\n'))
  const sent = encode(unsent)
  const { command, path, profile, base, options, receipt, markKey, plan, plannedFailures } = run
  const header: JobHeader = {
    version: 3,
    // In the order of the header's form, which its reader demands.
    ...{ command, path, profile, base, options, receipt, markKey, plan, plannedFailures },
    created_at,
    total: ids.length,
    targets: digestOfBytes(targets),
    unsent: digestOfBytes(sent),
  }
  const { text, digest } = encodeHeader(header)
  const stem = plan === undefined ? nameOf(created_at, random) : planJobName(plan)
  const fresh = join(jobs, `.${stem}-${randomSuffix()}`)
  try {
    makeFolder(jobs)
    sweep(jobs, clock)
    makeFolder(fresh)
    writeFile(join(fresh, 'targets'), targets)
    writeFile(join(fresh, 'unsent.json'), sent)
    writeFile(join(fresh, 'job.json'), text)
    const opened = createGeneration(fresh, ['generation', 1, ownHolder(processes), null], seedOf(digest, 1))
    if (!opened) throw new Error('The journal is there already')
    closeSync(opened.file)
    const name = renameIntoPlace(fresh, jobs, stem, plan)
    const folder = join(jobs, name)
    syncFolder(jobs)
    const state = new JobState(ids.length)
    const end = { bytes: opened.bytes, sha256: '' }
    const file = openSync(generationPath(folder, 1), 'r+')
    return holdJob({ name, folder, header, digest, targets: ids, state, generation: 1, end }, { ...opened, file }, host)
  } catch (cause) {
    drop(fresh)
    if (cause instanceof RefusedError) throw cause
    const hint = raiseFileLimit(cause) ?? 'Check its owner and mode, or name another folder in ANALYTICS_STATE_DIR'
    throw cannotWrite(`The job cannot be kept in ${jobs}`, cause, hint)
  }
}

/** A job is named by the digest of its plan, so two processes cannot create two jobs of one plan. */
function planJobName(sha256: string): string {
  return `plan-${sha256.slice(0, 16)}`
}

/** `lineOf` writes a command line that leads to the server of the plan. */
export function refuseKnownPlan(
  jobs: string,
  sha256: string,
  lineOf = (words: readonly string[]) => ['analytics', ...words].join(' '),
): void {
  const name = planJobName(sha256)
  const folder = join(jobs, name)
  if (!existsSync(folder)) return
  const see = `See ${lineOf(['jobs', 'show', name])}`
  if (!isUnsentKept({ folder })) {
    throw new RefusedError(`The plan was run already: job ${name} has ended, and nothing is left to try`, { hint: see })
  }
  throw new RefusedError(`The plan was run already, as job ${name}`, {
    hint: `${see}, or finish it with: ${lineOf(['jobs', 'resume', name])}`,
  })
}

function nameOf(createdAt: string, random: () => number): string {
  const stamp = createdAt.replace(/[-:]|\..*/g, '').replace('T', '-')
  const number = Math.floor(random() * 36 ** 4)
  return `${stamp}-${number.toString(36).padStart(4, '0')}`
}

/** A rename never replaces a folder with files, so only one of several processes with the same plan succeeds. */
function renameIntoPlace(fresh: string, jobs: string, stem: string, plan: string | undefined): string {
  for (let n = 1; ; n++) {
    if (plan !== undefined) refuseKnownPlan(jobs, plan)
    const name = n === 1 ? stem : `${stem}-${n}`
    if (existsSync(join(jobs, name))) continue
    try {
      renameSync(fresh, join(jobs, name))
      return name
    } catch (error) {
      if (!existsSync(join(jobs, name))) throw error
    }
  }
}

const abandonedAfter = 24 * 60 * 60 * 1000

/** Removes unfinished jobs of killed processes. */
function sweep(jobs: string, { now }: Pick<Clock, 'now'>): void {
  for (const name of readdirSync(jobs)) {
    if (!/^\.(?:\d{8}|plan)-/.test(name)) continue
    const made = statSync(join(jobs, name), { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY
    if (now() - made > abandonedAfter) drop(join(jobs, name))
  }
}

function drop(fresh: string): void {
  try {
    rmSync(fresh, { recursive: true, force: true })
  } catch {}
}

/** The names of new folders are on disk when it returns. */
function makeFolder(folder: string): void {
  const first = makePrivateFolder(folder)
  chmodSync(folder, 0o700)
  if (first === undefined) return
  for (let path = folder; path.length >= first.length; path = dirname(path)) syncFolder(dirname(path))
}

function writeFile(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeAll(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
