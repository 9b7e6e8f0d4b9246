/**
 * The machine loses power at random moments of a deletion: what was not synced is lost, or becomes NULs. The receipt of
 * the resumed run must be true. `CHAOS=100` runs more rounds (`npm run chaos`); `CHAOS_SEED` repeats one.
 */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { journalOf, openJob, readTargets } from '../../src/jobs/job.ts'
import { needsPosix } from '../posix.ts'
import { emptyPage, json, notFound, personRow, serve } from '../server.ts'
import { chaosFolder, chaosSeeds } from './chaos.ts'
import { sequence } from './faulty.ts'
import { type Finished, start } from './program.ts'

needsPosix('syncs of folders')

const hook = join(import.meta.dirname, 'syncs.cjs')

// The hook finds the names of folders in /proc.
describe.runIf(process.platform === 'linux')('the receipt is true after power cuts', () => {
  for (const seed of chaosSeeds(1)) {
    test(`of a deletion (seed ${seed})`, () => loseAndResume([], seed))
    test(`of a deletion with events (seed ${seed})`, () => loseAndResume(['--delete-events'], seed))
  }
})

async function loseAndResume(options: readonly string[], seed: number): Promise<void> {
  const random = sequence(seed)
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const ids = Array.from({ length: 40 + upTo(400) }, (_, i) => String(1000 + i))
  const isMissing = (id: string) => Number(id) % 7 === 0
  const there = new Set(ids.filter(id => !isMissing(id)))
  const answered = new Set<string>()
  /** Those whose outcome the journal on disk has when a process begins. */
  const final = new Set<string>()
  const sentAgain: string[] = []
  let countdown = 0
  let cut: () => void = () => undefined
  const server = await serve(({ path, method }, response) => {
    const id = path.split('/')[5] ?? ''
    const isDelete = method === 'DELETE'
    const isThere = isDelete ? there.delete(id) : there.has(id)
    if (isDelete && final.has(id)) sentAgain.push(id)
    if (--countdown === 0) return cut()
    if (id === '') return emptyPage(response)
    if (!isThere) return notFound(response)
    if (!isDelete) return json(response, personRow(Number(id)))
    answered.add(id)
    response.writeHead(204).end()
  })
  const { folder, env: plain } = chaosFolder(server, ids)
  const env = { ...plain, NODE_OPTIONS: `--require ${hook}`, SYNCS: join(folder, 'syncs') }
  const receipt = join(folder, 'receipt.json')
  const begin = ['persons', 'delete', ...options, '--from', join(folder, 'ids'), '--yes', '--receipt', receipt]

  let finished: Finished | undefined
  // With --delete-events, a person who was not found is a failure (8).
  for (let cuts = 1 + upTo(2); ![0, 8].includes(finished?.code ?? -1); cuts--) {
    expect(cuts, `no end; the last run said ${finished?.stderr}`).toBeGreaterThan(-3)
    const { child, finished: end } = start(finished ? ['jobs', 'resume', '--last', '--receipt', receipt] : begin, env)
    countdown = cuts > 0 ? 1 + upTo(there.size) : -1
    cut = () => child.kill('SIGKILL')
    finished = await end
    if (finished.code !== null) continue
    losePower(folder, random)
    for (const id of finalIn(join(folder, 'state/jobs'))) final.add(id)
  }

  expect([...there]).toEqual([])
  const { complete, outcomes } = JSON.parse(readFileSync(receipt, 'utf8'))
  expect([complete, outcomes.map(({ id }: Outcome) => id)]).toEqual([true, ids])
  expect(sentAgain).toEqual([])
  // The receipt claims a response only if there was one. A lost outcome counts as not found.
  const isTrue = ({ id, status, evidence, error }: Outcome) => {
    if (status === 'deleted') return evidence === 'inferred' || answered.has(id)
    return options.length > 0 ? error === 'events-unknown' : status === 'gone'
  }
  expect(outcomes.filter((one: Outcome) => !isTrue(one))).toEqual([])
}

function finalIn(jobs: string): string[] {
  return readdirSync(jobs).flatMap(name => {
    const job = openJob(jobs, name)
    const remaining = new Set(journalOf(job).remaining())
    return readTargets(job).filter((_, target) => !remaining.has(target))
  })
}

interface Outcome {
  readonly id: string
  readonly status: string
  readonly evidence: string | null
  readonly error: string | null
}

interface Synced {
  readonly ino: number
  readonly size?: number
  readonly names?: readonly string[]
}

/** Removes what was not synced: names of new files, and the ends of files, or blocks of them, which become NULs. */
function losePower(folder: string, random: () => number): void {
  const jobs = join(folder, 'state/jobs')
  const kept = new Map<number, Synced>()
  for (const line of readFileSync(join(folder, 'syncs'), 'utf8').trimEnd().split('\n')) {
    const synced = JSON.parse(line) as Synced
    kept.set(synced.ino, synced)
  }
  for (const job of readdirSync(jobs)) {
    const { names: synced = [] } = kept.get(statSync(join(jobs, job)).ino) ?? {}
    for (const name of readdirSync(join(jobs, job))) {
      const path = join(jobs, job, name)
      if (!synced.includes(name) && random() < 0.5) rmSync(path)
      else loseEnd(path, kept.get(statSync(path).ino)?.size ?? 0, random)
    }
    // The rest is on the disk.
    const names = readdirSync(join(jobs, job))
    const left = [...names.map(name => statSync(join(jobs, job, name))), { ...statSync(join(jobs, job)), names }]
    appendFileSync(join(folder, 'syncs'), left.map(one => `${JSON.stringify(one)}\n`).join(''))
    // A machine takes a minute to start again.
    const then = new Date(Date.now() - 61_000)
    const lock = join(jobs, job, 'lock')
    if (existsSync(lock)) utimesSync(lock, then, then)
  }
}

function loseEnd(path: string, synced: number, random: () => number): void {
  const bytes = readFileSync(path)
  const lost = bytes.length - synced
  if (lost <= 0) return
  const from = synced + Math.floor(random() * lost)
  if (random() < 0.5) writeFileSync(path, bytes.subarray(0, from))
  else writeFileSync(path, bytes.fill(0, from, from + Math.floor(random() * (bytes.length - from))))
}
