/**
 * Whole runs against a model of the service that fails at random: lost responses, errors, a gateway that answers 404, and
 * processes that are killed and resumed. Whatever happens, each receipt is true, and resuming finishes the run.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
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
  /** A gateway answers so many requests from this one on with 404, and two more after a pause. */
  readonly storm: { readonly start: number; readonly length: number; readonly pause: number }
  /** The targets that exist at the start. */
  readonly there: readonly string[]
}

const fate = fc.constantFrom<Fate>(
  ...(['answered', 'answered', 'answered', '500', '502', '429', 'lost', 'dropped', 'killed', 'killed after'] as const),
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
})

test('each target ends with exactly one true outcome, and nobody else is touched', async () => {
  await fc.assert(fc.asyncProperty(cases, passes), { numRuns: 100 * chaosSeeds(1).length })
}, 600_000)

test('a storm at each request of a deletion, short or long, makes no false receipt', async () => {
  const calm = { manner: {}, isUpdate: false, options: '--concurrency 1', fates: [], there: targets.slice(2) }
  for (let start = 0; start < 14; start++) {
    for (const length of [1, 3, 10]) await passes({ ...calm, storm: { start, length, pause: start % 4 } })
  }
})

async function passes(one: Case): Promise<void> {
  const { manner, isUpdate, fates, storm, there } = one
  const next = fates.values()
  const fateOf = (request: number) => {
    const since = request - storm.start
    const back = since - storm.length - storm.pause
    // A storm that meets a write and each read of its proof would make a false outcome: several requests at once allow one.
    const isAgain = one.options.endsWith('--concurrency 1') && storm.length > 0 && back >= 0 && back < 2
    const isStorm = isAgain || (since >= 0 && since < storm.length)
    return isStorm ? '404' : (next.next().value ?? 'answered')
  }
  const service = modelService({ ...manner, persons: [...there, ...bystanders], fateOf })
  const before = bystanders.map(id => service.find('persons', id))
  const world = new World()
  try {
    const options = isUpdate ? one.options.replace(/--batch \d+|--delete-events/g, '') : one.options
    const verb = isUpdate ? 'update --set plan=pro' : 'delete'
    const line = `persons ${verb} ${targets.join(' ')} --yes --retries 1 --receipt r.json ${options}`
    await live(world, service, line)
    isTrue(world, service, one)
    for (let lives = 0; !isOver(world); lives++) {
      expect(lives).toBeLessThan(60)
      await live(world, service, 'jobs resume --last --receipt r.json --retries 1')
      isTrue(world, service, one)
    }
  } finally {
    world.remove()
  }
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

/** One process, from its start to its end or its death. */
async function live(world: World, service: Model, line: string): Promise<void> {
  const [state, kept] = [join(world.folder, 'state'), join(world.folder, 'kept')]
  let isKilled = false
  service.onKill = () => {
    isKilled = true
    cpSync(state, kept, { recursive: true })
  }
  const { code, stderr } = await world.run(line.split(' ').filter(Boolean), { env, dispatcher: service.dispatcher })
  expect(code, stderr).not.toBe(1)
  service.revive()
  world.pid++
  if (!isKilled) return
  // What it wrote after its death was never written.
  rmSync(state, { recursive: true })
  cpSync(kept, state, { recursive: true })
  rmSync(kept, { recursive: true })
  rmSync(join(world.folder, 'r.json'), { force: true })
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
function isTrue(world: World, service: Model, { there }: Case): void {
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
    if (isKnown && ['gone', 'not-found'].includes(says ?? '')) expect([id, there.includes(id)]).toEqual([id, false])
    if (says === 'updated') expect([id, planOf(service, id)]).toEqual([id, 'pro'])
  }
}

function planOf(service: Model, id: string): unknown {
  return (service.find('persons', id)?.properties as { readonly plan?: unknown } | undefined)?.plan
}
