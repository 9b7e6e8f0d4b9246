/** `--batch`: many persons with one request, against servers that answer in every form, fail, queue and are cut off. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as fc from '../../fast-check.ts'
import { type Fate, type Manner, type Model, modelService, uuidOf } from '../../model-service.ts'
import { World } from '../../world.ts'

const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1/', ANALYTICS_API_KEY: 'key-of-a-test', ANALYTICS_PROJECT: '1' }
const ids = Array.from({ length: 9 }, (_, i) => uuidOf(i + 1))
const bystanders = [uuidOf(91), uuidOf(92)]

interface Receipt {
  readonly complete: boolean
  readonly outcomes: readonly {
    readonly id: string
    readonly status: string
    readonly error: string | null
    readonly evidence: string | null
  }[]
}

const receiptIn = ({ folder }: World): Receipt => JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))

interface Case {
  readonly manner: Manner
  /** The fates of the first requests. */
  readonly fates: readonly Fate[]
  /** A gateway answers so many requests from this one on with 404. */
  readonly storm: { readonly start: number; readonly length: number }
  /** Of the targets, those that are there at the start. */
  readonly there: readonly string[]
  readonly batch: number
  readonly options: string
}

const fates = fc.constantFrom<Fate>(
  ...(['answered', 'answered', 'answered', '500', '429', 'lost', 'dropped', 'killed', 'killed after'] as const),
)

const cases: fc.Arbitrary<Case> = fc.record({
  manner: fc.record({
    form: fc.constantFrom('empty' as const, 'counts' as const, 'counts and ids' as const),
    queue: fc.constantFrom(0, 1, 4, 30),
    failing: fc.subarray(ids, { maxLength: 3 }),
    namedBy: fc.constantFrom('person_uuid' as const, 'person_id' as const),
  }),
  fates: fc.array(fates, { maxLength: 25 }),
  // Two storms could meet a request and each of the reads that prove what became of it.
  storm: fc.record({ start: fc.nat(40), length: fc.nat(12) }),
  there: fc.subarray(ids),
  batch: fc.integer({ min: 2, max: 10 }),
  options: fc.constantFrom(
    '',
    '--delete-events',
    '--backup b.ndjson',
    '--max-failures 1',
    '--delete-events --concurrency 1',
  ),
})

test('each target ends with exactly one true outcome, and nobody else is touched', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async one => {
      const world = new World()
      try {
        await passes(world, one)
      } finally {
        world.remove()
      }
    }),
    { numRuns: 25 },
  )
}, 600_000)

async function passes(world: World, { manner, fates, storm, there, batch, options }: Case): Promise<void> {
  const next = fates.values()
  const fateOf = (request: number) =>
    request >= storm.start && request < storm.start + storm.length ? '404' : (next.next().value ?? 'answered')
  const service = modelService({ ...manner, persons: [...there, ...bystanders], fateOf })
  const whole = `persons delete ${ids.join(' ')} --yes --batch ${batch} --retries 1 --receipt r.json ${options}`
  await live(world, service, whole.trim())
  isTrue(world, service)
  for (let lives = 0; !isOver(world); lives++) {
    expect(lives).toBeLessThan(60)
    await live(world, service, 'jobs resume --last --receipt r.json --retries 1')
    isTrue(world, service)
  }
  // What the service has only queued lands.
  expect(service.left().filter(id => !service.queued.has(id))).toEqual(bystanders)
  for (const sent of service.batches) {
    expect(sent.length).toBeLessThanOrEqual(batch)
    expect(ids).toEqual(expect.arrayContaining([...sent]))
    expect(new Set(sent).size).toBe(sent.length)
  }
}

/** One process, from its start to its end, or to its death. */
async function live(world: World, service: Model, line: string): Promise<void> {
  const [state, kept] = [join(world.folder, 'state'), join(world.folder, 'kept')]
  let isKilled = false
  service.onKill = () => {
    isKilled = true
    cpSync(state, kept, { recursive: true })
  }
  const { code, stderr } = await world.run(line.split(' '), { env, dispatcher: service.dispatcher })
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

function isOver(world: World): boolean {
  try {
    const { complete, outcomes } = receiptIn(world)
    return complete && outcomes.every(({ status, error }) => status !== 'failed' || error === 'events-unknown')
  } catch {
    return false
  }
}

/** Nobody who is there counts as gone; only whom the service has accepted may still be there. */
function isTrue(world: World, { find, queued }: Model): void {
  let receipt: Receipt
  try {
    receipt = receiptIn(world)
  } catch {
    return
  }
  const { outcomes } = receipt
  expect(outcomes.map(({ id }) => id)).toEqual(ids)
  for (const { id, status, error, evidence } of outcomes) {
    const isAccepted = evidence === 'accepted' && status === 'deleted'
    const saysGone = ['deleted', 'gone'].includes(status) || error === 'events-unknown'
    if (saysGone)
      expect([id, status, evidence, find('persons', id) !== undefined && !(isAccepted && queued.has(id))]).toEqual([
        id,
        status,
        evidence,
        false,
      ])
  }
}
