/**
 * Whole runs against a model of the service that fails at random: lost responses, errors, a gateway, signals, processes that
 * are killed, and journals that lose their end. Whatever happens, each receipt is true, and resuming finishes the run.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import * as fc from '../fast-check.ts'
import type { Asked } from '../in-memory.ts'
import { type Fate, type Manner, type Model, modelService, uuidOf } from '../model-service.ts'
import { chaosSeeds } from '../process/chaos.ts'
import { World } from '../world.ts'

const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1/', ANALYTICS_API_KEY: 'key-of-a-test', ANALYTICS_PROJECT: '1' }
const targets = Array.from({ length: 12 }, (_, i) => uuidOf(i + 1))
const bystanders = [uuidOf(91), uuidOf(92)]

interface Case {
  readonly manner: Manner
  readonly isUpdate: boolean
  readonly options: string
  /** The fates of the first requests, without those of the storm. */
  readonly fates: readonly Fate[]
  /** A gateway responds with 404 to so many requests, from this one on, and to two more after a pause. */
  readonly storm: { readonly start: number; readonly length: number; readonly pause: number }
  /** The targets that exist at the start. */
  readonly there: readonly string[]
  /** What a kill takes from the end of the journal, and what it leaves there instead. */
  readonly damage: { readonly lost: number; readonly torn: string }
}

const fate = fc.constantFrom<Fate>(
  ...(['answered', 'answered', 'answered', 'lost', 'dropped', 'killed', 'killed after', 'interrupted'] as const),
  ...(['400', '401', '429', '500', '502', 'page'] as const),
)

const cases: fc.Arbitrary<Case> = fc.record({
  manner: fc.record({
    deleted: fc.constantFrom(202 as const, 204 as const),
    form: fc.constantFrom('empty' as const, 'counts' as const, 'counts and ids' as const),
    queue: fc.constantFrom(0, 1, 4, 30),
    failing: fc.subarray(targets, { maxLength: 3 }),
    namedBy: fc.constantFrom('person_uuid' as const, 'person_id' as const),
  }),
  isUpdate: fc.constantFrom(false, false, true),
  options: fc
    .tuple(
      fc.constantFrom('', '', '', '--batch 2', '--batch 5', '--batch 10'),
      fc.constantFrom(
        '',
        '--delete-events',
        '--backup b.ndjson',
        '--max-failures 1',
        '--delete-events --max-failures 2',
      ),
      fc.constantFrom('', '--concurrency 1'),
    )
    .map(words => words.filter(word => word !== '').join(' ')),
  fates: fc.array(fate, { maxLength: 25 }),
  storm: fc.record({ start: fc.nat(40), length: fc.oneof(fc.constant(0), fc.nat(20)), pause: fc.nat(3) }),
  there: fc.subarray(targets),
  damage: fc.record({
    lost: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    torn: fc.constantFrom('', '', '["failed",0,1,{"name":"unavail', '\0'.repeat(64)),
  }),
})

test('each target ends with exactly one true outcome, and no other person is changed', async () => {
  await fc.assert(fc.asyncProperty(cases, passes), { numRuns: 100 * chaosSeeds(1).length })
}, 600_000)

test('a storm at each request of a deletion, short or long, makes no false receipt', async () => {
  const calm = { manner: {}, isUpdate: false, options: '--concurrency 1', fates: [], there: targets.slice(2) }
  const damage = { lost: 0, torn: '' }
  for (let start = 0; start < 14; start++) {
    for (const length of [1, 3, 10]) await passes({ ...calm, damage, storm: { start, length, pause: start % 4 } })
  }
})

async function passes(one: Case): Promise<void> {
  const { manner, isUpdate, there } = one
  const world = new World()
  const history: History = {
    world,
    ...{ settled: new Set(), sent: new Set(), unanswered: new Set(), forgotten: new Set() },
    ...{ isInterrupted: false, faults: [] },
  }
  const nextFate = fatesOf(one)
  const fateOf = (number: number, request: Asked) => {
    const fate = nextFate(number)
    watch(history, request, fate)
    return fate
  }
  const service = modelService({ ...manner, persons: [...there, ...bystanders], fateOf })
  const before = bystanders.map(id => service.find('persons', id))
  try {
    const options = isUpdate ? one.options.replace(/--batch \d+|--delete-events/g, '') : one.options
    const verb = isUpdate ? 'update --set plan=pro' : 'delete'
    const line = `persons ${verb} ${targets.join(' ')} --yes --retries 1 --receipt r.json ${options}`
    await live(history, service, one, line)
    isTrue(history, service, one)
    for (let lives = 0; !isOver(world); lives++) {
      expect(lives).toBeLessThan(60)
      await live(history, service, one, 'jobs resume --last --receipt r.json --retries 1')
      isTrue(history, service, one)
    }
  } finally {
    rmSync(world.folder, { recursive: true })
  }
  expect(history.faults).toEqual([])
  const left = service.left().filter(id => !service.queued.has(id))
  expect(left).toEqual([...(isUpdate ? there : []), ...bystanders])
  if (isUpdate) for (const id of there) expect(planOf(service, id)).toBe('pro')
  expect(bystanders.map(id => service.find('persons', id))).toEqual(before)
  for (const sent of service.batches) {
    expect(sent.length).toBeLessThanOrEqual(Number(/--batch (\d+)/.exec(one.options)?.[1]))
    expect(targets).toEqual(expect.arrayContaining([...sent]))
    expect(new Set(sent).size).toBe(sent.length)
  }
}

function fatesOf({ fates, storm, options }: Case): (number: number) => Fate {
  const next = fates.values()
  return number => {
    const since = number - storm.start
    const back = since - storm.length - storm.pause
    // A storm that meets a write and each read of its proof would make a false outcome: several requests at once allow one.
    const isAgain = options.endsWith('--concurrency 1') && storm.length > 0 && back >= 0 && back < 2
    const isStorm = isAgain || (since >= 0 && since < storm.length)
    return isStorm ? '404' : (next.next().value ?? 'answered')
  }
}

/** What the requests and the journals show, apart from the receipts. */
interface History {
  readonly world: World
  /** Targets with a final outcome when this process began: nothing more may be sent for them. */
  readonly settled: Set<string>
  /** Those that this process sent a write for. */
  readonly sent: Set<string>
  /** Those whose write got no response, or one that the journal may not show. */
  readonly unanswered: Set<string>
  /** Those whose lines a power loss may have taken. */
  readonly forgotten: Set<string>
  isInterrupted: boolean
  readonly faults: string[]
}

const isLost: readonly Fate[] = ['lost', 'dropped', 'killed', 'killed after', 'interrupted', '500', '502']

function watch(history: History, { method, url, body }: Asked, fate: Fate): void {
  const { world, settled, sent, unanswered, faults } = history
  const isBatch = url.pathname.endsWith('/bulk_delete/')
  const ids = isBatch ? (JSON.parse(body).ids as string[]) : targets.filter(id => url.pathname.endsWith(`/${id}/`))
  if (history.isInterrupted) faults.push(`${method} ${url.pathname} after a signal`)
  for (const id of ids) if (settled.has(id)) faults.push(`${method} for ${id}, which is done`)
  if (method === 'GET' || ids.length === 0) return
  const journal = readFileSync(journalPath(world) ?? '', 'latin1')
  for (const id of ids) {
    if (!journal.includes(`["sent",${targets.indexOf(id)}]\n`)) faults.push(`no line before the write for ${id}`)
    sent.add(id)
    if (isLost.includes(fate)) unanswered.add(id)
  }
}

function journalPath({ folder }: World): string | undefined {
  const jobs = join(folder, 'state/jobs')
  const [job] = existsSync(jobs) ? readdirSync(jobs) : []
  return job === undefined ? undefined : join(jobs, job, 'journal')
}

/** One process, from its start to its end or its death. */
async function live(history: History, service: Model, { damage }: Case, line: string): Promise<void> {
  const { world, sent, settled, unanswered, forgotten } = history
  const [state, kept] = [join(world.folder, 'state'), join(world.folder, 'kept')]
  const interruption = new AbortController()
  const began = journalPath(world)
  const old = began === undefined ? '' : readFileSync(began, 'latin1')
  for (const id of settledIn(old)) settled.add(id)
  sent.clear()
  history.isInterrupted = false
  service.onInterrupt = () => {
    history.isInterrupted = true
    interruption.abort(new InterruptedError('SIGINT'))
  }
  let isKilled = false
  service.onKill = () => {
    isKilled = true
    cpSync(state, kept, { recursive: true })
  }
  const options = { env, dispatcher: service.dispatcher, interrupted: interruption.signal }
  const { code, stderr } = await world.run(line.split(' ').filter(Boolean), options)
  expect(code, stderr).not.toBe(1)
  service.revive()
  world.pid++
  if (!isKilled) return
  // What it wrote after its death was never written.
  rmSync(state, { recursive: true })
  cpSync(kept, state, { recursive: true })
  rmSync(kept, { recursive: true })
  rmSync(join(world.folder, 'r.json'), { force: true })
  if (damage.lost > 0) for (const id of sent) forgotten.add(id)
  const journal = journalPath(world)
  if (journal === undefined) return
  const text = readFileSync(journal, 'latin1')
  // Whether these left the machine, nothing shows.
  for (const [, target] of text.matchAll(/\["sent",(\d+)\]/g)) unanswered.add(targets[Number(target)] ?? '')
  const end = old.length + Math.floor((text.length - old.length) * (1 - damage.lost))
  writeFileSync(journal, text.slice(0, end) + damage.torn, 'latin1')
}

/** The targets that a journal calls done, or not there. */
function settledIn(journal: string): string[] {
  return journal.split('\n').flatMap(line => {
    try {
      const [status, target, , error] = JSON.parse(line)
      const isFinal =
        ['deleted', 'updated', 'gone'].includes(status) || (status === 'failed' && error.name === 'not-found')
      return isFinal ? [targets[target] ?? ''] : []
    } catch {
      return []
    }
  })
}

interface Receipt {
  readonly complete: boolean
  readonly outcomes: readonly {
    readonly id: string
    readonly status: string
    readonly error: string | null
    readonly evidence: string | null
  }[]
}

function receiptIn({ folder }: World): Receipt | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))
  } catch {
    return undefined
  }
}

const finals: readonly unknown[] = ['events-unknown', 'not-found']

function isOver(world: World): boolean {
  const { complete, outcomes } = receiptIn(world) ?? { complete: false, outcomes: [] }
  return complete && outcomes.every(({ status, error }) => status !== 'failed' || finals.includes(error))
}

/** Nobody who is there counts as gone, except accepted deletions. Nobody who was there counts as never there. */
function isTrue({ world, unanswered, forgotten }: History, service: Model, { there }: Case): void {
  const { complete, outcomes } = receiptIn(world) ?? { complete: undefined, outcomes: [] }
  if (complete === undefined) return
  expect(outcomes.map(({ id }) => id)).toEqual(targets)
  expect(complete).toBe(outcomes.every(({ status }) => status !== 'left'))
  for (const { id, status, error, evidence } of outcomes) {
    const says = status === 'failed' ? error : status
    const exists = service.find('persons', id) !== undefined
    const isPending = evidence === 'accepted' && service.queued.has(id)
    if (says === 'deleted') expect([id, evidence, exists && !isPending]).toEqual([id, evidence, false])
    if (says === 'gone' || finals.includes(says)) expect([id, says, exists]).toEqual([id, says, false])
    // The counts of a batch do not say who was there.
    const isKnown = service.batches.length === 0
    const wasThere = there.includes(id) && !forgotten.has(id)
    if (isKnown && ['gone', 'not-found'].includes(says ?? '')) expect([id, wasThere]).toEqual([id, false])
    if (says === 'deleted' && evidence === 'answered') expect(there).toContain(id)
    if (evidence === 'inferred') expect([...unanswered]).toContain(id)
    if (says === 'updated') expect([id, planOf(service, id)]).toEqual([id, 'pro'])
  }
}

function planOf(service: Model, id: string): unknown {
  return (service.find('persons', id)?.properties as { readonly plan?: unknown } | undefined)?.plan
}
