/**
 * The engine and its journal against a service that fails in every way, and a process that is killed at any moment:
 * whatever the order of answers, failures and crashes, the same few sentences hold.
 */
import { closeSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { Failure, UnavailableError } from '../../src/errors.ts'
import type { Clock } from '../../src/host.ts'
import type { Request, Response } from '../../src/http/message.ts'
import { retry } from '../../src/http/retry.ts'
import { runEngine } from '../../src/jobs/engine.ts'
import type { RecordedOutcome } from '../../src/jobs/job-state.ts'
import { createGeneration, generationPath, newestGeneration, seedOf } from '../../src/jobs/journal/generation.ts'
import { GenerationFile } from '../../src/jobs/journal/generation-file.ts'
import { FileJournal } from '../../src/jobs/journal/journal.ts'
import { type JournalContent, readJournal } from '../../src/jobs/journal/read-journal.ts'
import type { Outcome } from '../../src/jobs/outcome.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { createProof } from '../../src/runs/steps/proof.ts'
import { createReads } from '../../src/runs/steps/reads.ts'
import { createStep } from '../../src/runs/steps/step.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { fakeClock } from '../clock.ts'
import * as fc from '../fast-check.ts'

const folder = mkdtempSync(join(tmpdir(), 'analytics-model-'))
const digest = '5eed'.repeat(16)
/** Of each process that dies, and of the next one. */
const newest = () => generationPath(folder, newestGeneration(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What becomes of one request. `lost`: no answer, though it was done; `dropped`: no answer, and not done. */
type Fate = 'answered' | '500' | '502' | '429' | '400' | 'lost' | 'dropped' | 'killed' | 'killed after'

interface Case {
  /** For each target whether the person is there at the start. */
  readonly there: readonly boolean[]
  readonly fates: readonly { readonly fate: Fate; readonly turns: number }[]
  readonly does: 'delete' | 'delete with events' | 'update'
  /** How often a process goes on once every target has an outcome. */
  readonly resumes: number
  /** Each person is read for a backup first, and the reading fails as the write does. */
  readonly backup: boolean
  readonly concurrency: number
  /** How much of a line is on disk where the process was killed within a write. */
  readonly torn: number
  /** The share of what the disk need not have kept that a power loss takes; the last bytes of it become NULs. */
  readonly lost: number
  readonly hole: boolean
}

const tornLine = JSON.stringify(['failed', 0, { name: 'unavailable', status: 500, code: null }, true])

const cases: fc.Arbitrary<Case> = fc.record({
  there: fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
  fates: fc.array(
    fc.record({
      fate: fc.constantFrom<Fate>(
        'answered',
        'answered',
        '500',
        '502',
        '429',
        '400',
        'lost',
        'dropped',
        'killed',
        'killed after',
      ),
      turns: fc.nat(3),
    }),
    { maxLength: 40 },
  ),
  does: fc.constantFrom('delete', 'delete with events', 'update'),
  resumes: fc.integer({ min: 1, max: 3 }),
  backup: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 4 }),
  torn: fc.oneof(fc.constant(0), fc.nat(tornLine.length)),
  lost: fc.double({ min: 0, max: 1, noNaN: true }),
  hole: fc.boolean(),
})

const turn = () => new Promise<void>(resolve => setImmediate(resolve))
const base = new URL('http://service.example/')

const json = (status: number, value: unknown): Response => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
})
const notFound = () => json(404, { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null })

/** A service, and the process that talks to it: killed, it hears no answer any more. */
class Simulation {
  readonly people: Set<string>
  readonly queued = new Set<string>()
  readonly unanswered = new Set<string>()
  readonly updated = new Set<string>()
  /** Targets that were recorded as done, or as not there, when any process began: none of them may be sent again. */
  readonly settled = new Map<string, RecordedOutcome>()
  readonly #fates: Case['fates'][number][]
  readonly #does: Case['does']
  #kill: () => void = () => undefined
  life = 0
  /** Whether the last process was killed. */
  hasDied = false
  /** Targets that had failed when this process began. */
  failed: ReadonlySet<number> = new Set()
  /** What was in the journal, and synced, before this process sent something. */
  synced: RegExp[] = []

  constructor({ there, fates, does }: Case) {
    this.people = new Set([...there.flatMap((is, i) => (is ? [String(i + 1)] : [])), 'bystander'])
    this.#fates = [...fates]
    this.#does = does
  }

  /** A new process, which is told when it is killed. */
  begin(kill: () => void) {
    const life = this.life
    this.synced = []
    this.hasDied = false
    this.#kill = kill
    return async (request: Request): Promise<Response> => {
      if (life !== this.life) return new Promise(() => undefined)
      const id = request.url.pathname.split('/').at(-2) ?? ''
      if (id === 'persons') return json(200, { results: [] })
      const { fate, turns } = this.#fates.shift() ?? { fate: 'answered', turns: 0 }
      expect([...this.settled.keys()]).not.toContain(id)
      const target = Number(id) - 1
      const line = this.failed.has(target) ? retryLine(target) : announcement(target)
      expect(readFileSync(newest(), 'utf8')).toMatch(line)
      this.synced.push(line)
      for (let i = 0; i < turns; i++) await turn()
      if (life !== this.life) return new Promise(() => undefined)
      return request.method === 'GET' ? this.#read(fate, id) : this.#suffer(fate, id)
    }
  }

  #read(fate: Fate, id: string): Response | Promise<Response> {
    if (fate === 'answered') return this.people.has(id) ? json(200, { id: Number(id), properties: {} }) : notFound()
    if (fate === 'lost' || fate === 'dropped') throw new UnavailableError('The connection was lost')
    if (fate === 'killed' || fate === 'killed after') return this.#die()
    return { status: Number(fate), headers: {}, body: Buffer.alloc(0) }
  }

  #die(): Promise<Response> {
    this.life++
    this.hasDied = true
    this.#kill()
    return new Promise(() => undefined)
  }

  #suffer(fate: Fate, id: string): Response | Promise<Response> {
    switch (fate) {
      case 'killed':
      case 'killed after':
        if (fate === 'killed after') this.#write(id)
        this.unanswered.add(id)
        return this.#die()
      case 'lost':
      case 'dropped':
        if (fate === 'lost') this.#write(id)
        this.unanswered.add(id)
        throw new UnavailableError('The connection was lost')
      case 'answered':
        return this.#write(id) ?? notFound()
      default:
        if (fate === '500' || fate === '502') this.unanswered.add(id)
        return { status: Number(fate), headers: {}, body: Buffer.alloc(0) }
    }
  }

  /** Undefined where nobody is there. */
  #write(id: string): Response | undefined {
    if (!this.people.has(id)) return undefined
    if (this.#does === 'update') {
      this.updated.add(id)
      return json(200, { id: Number(id), properties: { plan: 'pro' } })
    }
    if (this.#does === 'delete with events') this.queued.add(id)
    this.people.delete(id)
    return { status: 204, headers: {}, body: Buffer.alloc(0) }
  }
}

test('every target ends with exactly one true outcome, and none that is over is sent again', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async one => {
      const ids = one.there.map((_, i) => String(i + 1))
      for (const file of readdirSync(folder)) rmSync(join(folder, file))
      const simulation = new Simulation(one)
      let state = await live(simulation, ids, one)
      for (let lives = 0; state.counts.left > 0; lives++) {
        expect(lives).toBeLessThan(50)
        state = await live(simulation, ids, one)
      }
      // A resume tries the failed ones again.
      for (let resumes = 0; resumes < one.resumes; resumes++) state = await live(simulation, ids, one)

      const { deleted, updated, gone, failed, left } = state.counts
      expect([deleted + updated + gone + failed, left]).toEqual([ids.length, 0])
      expect(simulation.people).toContain('bystander')
      for (const [target, id] of ids.entries()) judge(simulation, one, id, state.outcomeOf(target))
    }),
    { numRuns: 150 },
  )
})

/** What an outcome says is true, as far as anybody can know who was not always answered. */
function judge(simulation: Simulation, { there, does }: Case, id: string, outcome: RecordedOutcome | undefined): void {
  const wasThere = there[Number(id) - 1]
  const mayBeDone = simulation.unanswered.has(id)
  const events = does === 'delete with events'
  expect(simulation.settled.get(id) ?? outcome).toEqual(outcome)
  if (outcome?.status === 'failed') {
    const { name, code } = outcome.error
    const isToldSo = does === 'update' || code === 'events-not-queued'
    if (name === 'not-found') expect([wasThere, isToldSo]).toEqual([false, true])
    return
  }
  if (does === 'update') {
    const isUpdated = wasThere && simulation.updated.has(id)
    expect([outcome?.status, outcome?.evidence, isUpdated]).toEqual(['updated', 'answered', true])
    return
  }
  expect(simulation.people).not.toContain(id)
  if (outcome?.status === 'gone') expect([wasThere, events]).toEqual([false, false])
  else expect(outcome?.evidence === 'answered' ? wasThere : mayBeDone).toBe(true)
  if (outcome?.status === 'deleted' && events) expect(simulation.queued.has(id) || mayBeDone).toBe(true)
}

/** One process, from its start to its end or its death. Returns how the targets stand on disk then. */
async function live(simulation: Simulation, ids: readonly string[], one: Case) {
  const { does, concurrency } = one
  let killed: () => void = () => undefined
  const death = new Promise<void>(resolve => {
    killed = resolve
  })
  const { hasDied } = simulation
  const send = simulation.begin(() => killed())
  const { life } = simulation
  const clock = fakeClock()
  const signal = new AbortController().signal
  const written = read(ids.length)
  // Those about to be sent when the last process died: nobody can know whether they were.
  for (const [i, id] of ids.entries()) if (hasDied && written.state.maybeDone(i)) simulation.unanswered.add(id)
  for (const [i, id] of ids.entries()) {
    const outcome = written.state.outcomeOf(i)
    const isOver = outcome && (outcome.status !== 'failed' || outcome.error.name === 'not-found')
    if (isOver && !simulation.settled.has(id)) simulation.settled.set(id, outcome)
  }
  simulation.failed = new Set([...ids.keys()].filter(i => written.state.outcomeOf(i)?.status === 'failed'))
  const journal = begin(written, clock)
  const path = { project_id: '1' }
  const operation: Operation =
    does === 'update'
      ? { command: 'persons update', path, values: { body: { properties: { plan: 'pro' } }, bodies: undefined } }
      : { command: 'persons delete', path, values: { deleteEvents: does === 'delete with events', batch: undefined } }
  const sending = retry(send, { retries: 1, maxWait: 1000, clock, random: () => 0, signal, notice: () => undefined })
  const client = createClient(base, sending, createSecrets())
  const backup = one.backup ? { save: async () => '', saved: 0, close: () => true } : undefined
  const confirm = async (_: string, outcome: Outcome) => outcome
  const reads = createReads(clock)
  const proof = createProof(client, operation, reads.note)
  const step = createStep({
    client,
    operation,
    clock,
    signal,
    isDryRun: false,
    backup,
    confirm,
    reads,
    markKey: undefined,
  })
  const work = {
    targets: ids,
    journal,
    concurrency,
    batch: 1,
    clock,
    signal,
    step,
    proof,
    confirm,
    onOutcome: () => undefined,
    ...{ maxFailures: undefined, canary: undefined, left: undefined },
  }
  // Whatever stops a run is a failure of the service, and the next process goes on.
  const run = runEngine(work).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
  })
  await Promise.race([run.then(() => journal.close()), death])
  // What had been written by then is all that the next process finds, and the last of it may be torn or lost.
  if (simulation.life > life) damage(newest(), simulation.synced, one)
  return read(ids.length).state
}

/** Cuts what no sync had to keep, as a power loss does, or tears the last line, as a kill within a write does. */
function damage(path: string, synced: readonly RegExp[], { torn, lost, hole }: Case): void {
  // The dead process may go on writing: it was only believed dead.
  if (torn === 0 && lost < 0.5) return
  const bytes = readFileSync(path)
  const kept = lost < 0.5 ? bytes.length : syncedLength(bytes.toString(), synced)
  const from = kept + Math.floor((bytes.length - kept) * Math.max(0, 2 * lost - 1))
  const end = lost < 0.5 ? Buffer.from(tornLine.slice(0, torn)) : Buffer.alloc(hole ? 64 : 0)
  writeFileSync(`${path}.new`, Buffer.concat([bytes.subarray(0, from), end]))
  renameSync(`${path}.new`, path)
}

/** Up to the end of the last line that had to be there before a target was sent. */
function syncedLength(text: string, synced: readonly RegExp[]): number {
  const lines = text.split('\n')
  const until = Math.max(-1, ...synced.map(needed => lines.findIndex(line => needed.test(line))))
  return lines.slice(0, until + 1).join('\n').length + 1
}

/** Up to at least this target. There are at most ten, and the first announcement is of eight or all. */
function announcement(target: number): RegExp {
  const more = Array.from({ length: 20 }, (_, i) => target + 1 + i)
  return new RegExp(`\\["may-send",(${more.join('|')}),`)
}

function retryLine(target: number): RegExp {
  return new RegExp(`\\["sent",${target},`)
}

const holder = { boot: '', host: 'here', pid: 1, began: '' }

function begin({ state, generation, end }: JournalContent, clock: Clock): FileJournal {
  const next = generation + 1
  const opened = createGeneration(folder, ['generation', next, holder, end], seedOf(digest, next))
  if (!opened) throw new Error('Begun by another process')
  const host = { clock, processes: { own: 1, isRunning: () => true } }
  return new FileJournal(state, new GenerationFile({ folder, jobDigest: digest, host }, opened))
}

function read(total: number): JournalContent {
  if (newestGeneration(folder) > 0) return readJournal(folder, total, digest)
  const opened = createGeneration(folder, ['generation', 1, holder, null], seedOf(digest, 1))
  if (opened) closeSync(opened.file)
  return readJournal(folder, total, digest)
}
