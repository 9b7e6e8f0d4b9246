/**
 * The engine and its journal against a service that fails in every way, and a process that is killed at any moment:
 * whatever the order of answers, failures and crashes, the same few sentences hold.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createClient } from '../../src/api/client.ts'
import { Failure, InterruptedError, UnavailableError } from '../../src/errors.ts'
import type { Request, Response, Sent } from '../../src/http/message.ts'
import { retry } from '../../src/http/retry.ts'
import { runEngine } from '../../src/jobs/engine.ts'
import { Journal, type Recorded } from '../../src/jobs/journal.ts'
import { isFinal } from '../../src/jobs/outcome.ts'
import { type OperationRequest, operationOf } from '../../src/operations/operation.ts'
import { createLists } from '../../src/runs/steps/proof.ts'
import { changeTarget } from '../../src/runs/steps/step.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { fakeClock } from '../clock.ts'
import * as fc from '../fast-check.ts'
import { failureOf } from '../http/loopback.ts'
import { chaosSeeds } from '../process/chaos.ts'

const folder = mkdtempSync(join(tmpdir(), 'analytics-model-'))
const path = join(folder, 'journal')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * What becomes of one request. `lost`: no response, though it was done; `dropped`: no response, and not done. `401`, `page`
 * (of a gateway) and `interrupted` (SIGINT while it is under way) stop the run.
 */
const fates = [
  ...['answered', 'answered', 'answered', '500', '502', '429', '400', 'lost', 'dropped'],
  ...['killed', 'killed after', '401', 'page', 'interrupted'],
] as const
type Fate = (typeof fates)[number]

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
  readonly maxFailures: number | undefined
  /** How much of a line is on disk where the process was killed within a write: never all of it. */
  readonly torn: number
  /** The share of what the disk need not have kept that a power loss takes, above a half; the last bytes become NULs. */
  readonly lost: number
  readonly hole: boolean
}

const tornLine = JSON.stringify(['failed', 0, 1, { name: 'unavailable', status: 500, code: null }, true])

const cases: fc.Arbitrary<Case> = fc.record({
  there: fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
  fates: fc.array(
    fc.record({
      fate: fc.constantFrom(...fates),
      turns: fc.nat(3),
    }),
    { maxLength: 40 },
  ),
  does: fc.constantFrom('delete', 'delete with events', 'update'),
  resumes: fc.integer({ min: 1, max: 3 }),
  backup: fc.boolean(),
  concurrency: fc.integer({ min: 1, max: 4 }),
  maxFailures: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  torn: fc.oneof(fc.constant(0), fc.nat(tornLine.length - 1)),
  lost: fc.double({ min: 0, max: 1, noNaN: true }),
  hole: fc.boolean(),
})

const turn = () => new Promise<void>(resolve => setImmediate(resolve))
const answered = (response: Response): Sent => ({ certainty: 'answered', response })
const empty = (status: number) => answered({ status, headers: {}, body: Buffer.alloc(0) })
const json = (status: number, value: unknown) =>
  answered({ status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) })
const page = () =>
  answered({ status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('<html>Sign in</html>') })
const lost = (): Sent => ({ certainty: 'unknown', failure: new UnavailableError('The connection was lost') })
const notFound = () => json(404, { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null })

/** A service, and the process that talks to it: killed, it hears no answer any more. */
class Simulation {
  readonly people: Set<string>
  readonly queued = new Set<string>()
  readonly unanswered = new Set<string>()
  /** Those of whom a write was about to leave this machine. */
  readonly dispatched = new Set<string>()
  readonly updated = new Set<string>()
  /** Targets that were recorded as done, or as not there, when any process began: none of them may be sent again. */
  readonly settled = new Map<string, Recorded>()
  readonly #fates: Case['fates'][number][]
  readonly #does: Case['does']
  #kill: () => void = () => undefined
  #interrupt: () => void = () => undefined
  /** The stop of the run has fired: nothing may be sent. */
  isStopped = false
  life = 0
  /** Whether the last process was killed. */
  hasDied = false
  /** Targets of which a power loss may have taken what the journal said. */
  readonly forgotten = new Set<string>()
  /** Those that this process has sent. */
  sent: string[] = []

  constructor({ there, fates, does }: Case) {
    this.people = new Set([...there.flatMap((is, i) => (is ? [String(i + 1)] : [])), 'bystander'])
    this.#fates = [...fates]
    this.#does = does
  }

  /** A new process, which is told when it is killed. */
  begin(kill: () => void, interrupt: () => void) {
    const life = this.life
    this.isStopped = false
    this.#interrupt = interrupt
    this.sent = []
    this.hasDied = false
    this.#kill = kill
    return async (request: Request): Promise<Sent> => {
      const id = request.url.pathname.split('/').at(-2) ?? ''
      if (request.method !== 'GET') this.dispatched.add(id)
      if (life !== this.life) return new Promise(() => undefined)
      expect(this.isStopped).toBe(false)
      if (id === 'persons') return json(200, { results: [] })
      const { fate, turns } = this.#fates.shift() ?? { fate: 'answered', turns: 0 }
      expect([...this.settled.keys()]).not.toContain(id)
      if (request.method !== 'GET') expect(readFileSync(path, 'latin1')).toContain(`["sent",${Number(id) - 1}]\n`)
      this.sent.push(id)
      for (let i = 0; i < turns; i++) await turn()
      if (life !== this.life) return new Promise(() => undefined)
      return request.method === 'GET' ? this.#read(fate, id) : this.#suffer(fate, id)
    }
  }

  #read(fate: Fate, id: string): Sent | Promise<Sent> {
    if (fate === 'answered') return this.people.has(id) ? json(200, { id: Number(id), properties: {} }) : notFound()
    if (fate === 'lost' || fate === 'dropped') return lost()
    if (fate === 'killed' || fate === 'killed after') return this.#die()
    if (fate === 'interrupted') return this.#interrupted()
    if (fate === 'page') return page()
    return empty(Number(fate))
  }

  /** A request that was sent is aborted. */
  #interrupted(): Sent {
    this.#interrupt()
    return { certainty: 'unknown', failure: new InterruptedError('SIGINT') }
  }

  #die(): Promise<Sent> {
    this.life++
    this.hasDied = true
    this.#kill()
    return new Promise(() => undefined)
  }

  #suffer(fate: Fate, id: string): Sent | Promise<Sent> {
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
        return lost()
      case 'interrupted':
        this.unanswered.add(id)
        return this.#interrupted()
      case 'page':
        return page()
      case 'answered':
        return this.#write(id) ?? notFound()
      default:
        if (fate === '500' || fate === '502') this.unanswered.add(id)
        return empty(Number(fate))
    }
  }

  /** Undefined where nobody is there. */
  #write(id: string): Sent | undefined {
    if (!this.people.has(id)) return undefined
    if (this.#does === 'update') {
      this.updated.add(id)
      return json(200, { id: Number(id), properties: { plan: 'pro' } })
    }
    if (this.#does === 'delete with events') this.queued.add(id)
    this.people.delete(id)
    return empty(204)
  }
}

test('every target ends with exactly one true outcome, and none that is over is sent again', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async one => {
      const ids = one.there.map((_, i) => String(i + 1))
      writeFileSync(path, '')
      const simulation = new Simulation(one)
      let journal = await live(simulation, ids, one)
      for (let lives = 0; journal.counts.left > 0; lives++) {
        expect(lives).toBeLessThan(50)
        journal = await live(simulation, ids, one)
      }
      // A resume tries the failed ones again.
      for (let resumes = 0; resumes < one.resumes; resumes++) journal = await live(simulation, ids, one)

      const { deleted, updated, gone, failed, left } = journal.counts
      expect([deleted + updated + gone + failed, left]).toEqual([ids.length, 0])
      expect(simulation.people).toContain('bystander')
      for (const [target, id] of ids.entries()) judge(simulation, one, id, journal.outcomeOf(target))
    }),
    { numRuns: chaosSeeds(3).length * 100 },
  )
})

/** What an outcome says is true, as far as anybody can know who was not always answered. */
function judge(simulation: Simulation, { there, does }: Case, id: string, outcome: Recorded | undefined): void {
  const wasThere = there[Number(id) - 1]
  const mayBeDone = simulation.unanswered.has(id)
  const isForgotten = simulation.forgotten.has(id)
  const events = does === 'delete with events'
  expect(simulation.settled.get(id) ?? outcome).toEqual(outcome)
  if (outcome?.status === 'failed') {
    const { name, code } = outcome.error
    if (name !== 'not-found') return
    expect(code).toBe(does === 'update' ? 'not-found' : 'events-unknown')
    expect(does === 'update' || events).toBe(true)
    expect(wasThere && !isForgotten).toBe(false)
    return
  }
  if (does === 'update') {
    const isUpdated = wasThere && simulation.updated.has(id)
    expect([outcome?.status, outcome?.evidence, isUpdated]).toEqual(['updated', 'answered', true])
    return
  }
  expect(simulation.people).not.toContain(id)
  if (outcome?.status === 'gone') expect([wasThere && !isForgotten, events]).toEqual([false, false])
  else expect(outcome?.evidence === 'answered' ? wasThere : mayBeDone).toBe(true)
  if (outcome?.status === 'deleted' && events) expect(simulation.queued.has(id) || mayBeDone).toBe(true)
}

const scope = { project_id: '1' }

const requests: Readonly<Record<Case['does'], OperationRequest>> = {
  update: { command: 'persons update', values: { body: { properties: { plan: 'pro' } } } },
  delete: { command: 'persons delete', values: { deleteEvents: false, batch: undefined } },
  'delete with events': { command: 'persons delete', values: { deleteEvents: true, batch: undefined } },
}

/** One process, from its start to its end or its death. Returns how the targets stand on disk then. */
async function live(simulation: Simulation, ids: readonly string[], one: Case): Promise<Journal> {
  let killed: () => void = () => undefined
  const death = new Promise<void>(resolve => {
    killed = resolve
  })
  const { hasDied } = simulation
  const interruption = new AbortController()
  const interrupt = () => interruption.abort(new InterruptedError('SIGINT'))
  const send = simulation.begin(() => killed(), interrupt)
  const { life } = simulation
  const clock = fakeClock()
  const { signal } = interruption
  const kept = readFileSync(path).length
  const lock = { check: () => undefined, release: () => undefined }
  const journal = Journal.open(path, ids.length, { lock, clock })
  for (const [i, id] of ids.entries()) {
    // Those under way when the last process died: nobody can know whether they were done.
    if (hasDied && journal.isUncertain(i) && simulation.dispatched.has(id)) simulation.unanswered.add(id)
    const outcome = journal.outcomeOf(i)
    if (outcome && isFinal(outcome) && !simulation.settled.has(id)) simulation.settled.set(id, outcome)
  }
  const operation = operationOf(requests[one.does])
  const sending = retry(send, {
    retries: 1,
    maxWait: 1000,
    clock,
    random: () => 0,
    signal,
    notice: () => undefined,
    failureOf,
  })
  const client = createClient(new URL('http://service.example/'), sending, createSecrets())
  const { concurrency, maxFailures } = one
  const values = {
    ...{ operation: requests[one.does], each: undefined, found: undefined, uuids: undefined },
    ...{ isGiven: true, receipt: undefined },
  }
  const backup = one.backup ? { save: async () => undefined, saved: 0, close: () => undefined } : undefined
  const work = { targets: ids, journal, concurrency, batchSize: 1, clock, interrupted: signal, maxFailures }
  // Whatever stops a run is a failure of the service, and the next process goes on.
  const run = runEngine({ ...work, onOutcome: () => undefined }, state => {
    state.stop.signal.addEventListener('abort', () => {
      // A process that was killed may stop later.
      if (simulation.life === life) simulation.isStopped = true
    })
    const stopped = client.with({ signal: state.stop.signal })
    const lists = createLists(stopped, operation.of, scope)
    const stepping = {
      client: stopped,
      scope,
      journal,
      operation,
      values,
      targets: ids,
      backup,
      lists,
      state,
    }
    return async ([target = 0]) => changeTarget(stepping, target)
  })
  const ended = run.then(stopped => {
    if (stopped && !(stopped instanceof Failure)) throw stopped
    journal.close()
  })
  await Promise.race([ended, death])
  // What had been written by then is all that the next process finds, and the last of it may be torn or lost.
  if (simulation.life > life) damage(simulation, kept, one)
  return Journal.read(path, ids.length)
}

/** Takes what no sync had to keep, as a power loss does, or tears the last line, as a kill within a write does. */
function damage(simulation: Simulation, kept: number, { torn, lost, hole }: Case): void {
  const bytes = readFileSync(path)
  const isLost = lost >= 0.5
  const from = isLost ? kept + Math.floor((bytes.length - kept) * (2 - 2 * lost)) : bytes.length
  const end = isLost ? Buffer.alloc(hole ? 64 : 0) : Buffer.from(tornLine.slice(0, torn))
  // The dead process may go on writing: it was only believed dead.
  if (torn === 0 && !isLost) return
  for (const id of isLost ? simulation.sent : []) simulation.forgotten.add(id)
  rmSync(path)
  writeFileSync(path, Buffer.concat([bytes.subarray(0, from), end]))
}
