/** `--batch`: many persons with one request, against servers that answer in every form, fail, queue and are cut off. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Receipt } from '../../../src/jobs/receipts/receipt.ts'
import { type BulkService, bulkService, type Fate, type Manner, type Reply, uuidOf } from '../../bulk-service.ts'
import * as fc from '../../fast-check.ts'
import { newWorld, World } from '../../world.ts'

const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1/', ANALYTICS_API_KEY: 'key-of-a-test', ANALYTICS_PROJECT: '1' }
const ids = Array.from({ length: 9 }, (_, i) => uuidOf(i + 1))
const bystanders = [uuidOf(91), uuidOf(92)]

const receiptIn = ({ folder }: World): Receipt => JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))

interface Case {
  readonly manner: Manner
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
    form: fc.constantFrom<Manner['form']>('empty', 'counts', 'counts and ids'),
    queue: fc.constantFrom(0, 1, 4, 30),
    failing: fc.subarray(ids, { maxLength: 3 }),
    namedBy: fc.constantFrom<Manner['namedBy']>('person_uuid', 'person_id'),
    fates: fc.array(fates, { maxLength: 25 }),
    reply: fc.constant(() => undefined),
    // Two storms could meet a request and each of the reads that prove what became of it.
    storm: fc.record({ start: fc.nat(40), length: fc.nat(12) }),
  }),
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
    { numRuns: 50 },
  )
}, 600_000)

async function passes(world: World, { manner, there, batch, options }: Case): Promise<void> {
  const service = bulkService([...there, ...bystanders], manner)
  const whole = `persons delete ${ids.join(' ')} --yes --batch ${batch} --retries 1 --receipt r.json ${options}`
  await live(world, service, whole.trim())
  isTrue(world, service)
  for (let lives = 0; !isOver(world); lives++) {
    expect(lives).toBeLessThan(60)
    await live(world, service, 'jobs resume --last --receipt r.json --retries 1')
    isTrue(world, service)
  }
  // What the service has only queued lands.
  for (const id of service.queued.keys()) service.persons.delete(id)
  expect([...service.persons.keys()]).toEqual(bystanders)
  for (const sent of service.batches) {
    expect(sent.length).toBeLessThanOrEqual(batch)
    expect(ids).toEqual(expect.arrayContaining([...sent]))
    expect(new Set(sent).size).toBe(sent.length)
  }
}

/** One process, from its start to its end, or to its death. */
async function live(world: World, service: BulkService, line: string): Promise<void> {
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
    const isFinal = (status: string, code?: string | null) =>
      status !== 'failed' || code === 'events-unknown' || code === 'events-not-queued'
    return complete && [...outcomes].every(({ status, error }) => isFinal(status, error?.code))
  } catch {
    return false
  }
}

/** Nobody who is there counts as gone; only whom the service has accepted may still be there. */
function isTrue(world: World, { persons, queued }: BulkService): void {
  let receipt: Receipt
  try {
    receipt = receiptIn(world)
  } catch {
    return
  }
  const outcomes = [...receipt.outcomes]
  expect(outcomes.map(({ id }) => id)).toEqual(ids)
  for (const { id, status, error, evidence } of outcomes) {
    const isAccepted = evidence === 'accepted' && status === 'deleted'
    const saysGone =
      ['deleted', 'gone'].includes(status) || ['events-unknown', 'events-not-queued'].includes(error?.code ?? '')
    if (saysGone)
      expect([id, status, evidence, persons.has(id) && !(isAccepted && queued.has(id))]).toEqual([
        id,
        status,
        evidence,
        false,
      ])
  }
}

test('the first target goes alone, and 1,000 targets take few requests', async () => {
  const many = Array.from({ length: 1000 }, (_, i) => uuidOf(i + 1))
  const service = bulkService(many)
  const world = newWorld()
  const { code } = await world.run('persons delete --from - --yes --batch 1000 --receipt r.json'.split(' '), {
    env,
    dispatcher: service.dispatcher,
    stdin: many.join('\n').concat('\n'),
  })
  expect([code, service.persons.size, service.asked.length]).toEqual([0, 0, 5])
  expect(service.batches.map(({ length }) => length)).toEqual([1, 999])
  expect(receiptIn(world).counts).toMatchObject({ deleted: 1000, left: 0 })
})

/** The exit code, stderr and outcomes of one run over the first targets. */
async function ran(service: BulkService, options = '', count = 4) {
  const world = newWorld()
  const line = `persons delete ${ids.slice(0, count).join(' ')} --yes --batch 10 --receipt r.json ${options}`.trim()
  const { code, stderr } = await world.run(line.split(' '), { env, dispatcher: service.dispatcher })
  const told = [...receiptIn(world).outcomes].map(
    ({ status, error, evidence }) => `${status} ${error ? (error.code ?? error.name) : evidence}`,
  )
  return { code, stderr, told, slept: world.sleeps.reduce((sum, ms) => sum + ms, 0) }
}

const left = 'left null'
const accepted = 'deleted accepted'
const refused: Reply = [
  405,
  { detail: 'Method "POST" not allowed.', type: 'invalid_request', code: 'method_not_allowed' },
]
const unknown: Reply = [404, { detail: 'Endpoint not found.', type: 'invalid_request', code: 'not_found' }]

test.each<[string, Reply]>([
  ['404', unknown],
  ['405', refused],
  ['a page with 404', [404, '<html>Not found</html>']],
])('a server that does not know the request gets nothing else: %s', async (_, reply) => {
  const service = bulkService(ids, { reply: () => reply })
  expect(await ran(service)).toMatchObject({ code: 5, told: [left, left, left, left] })
  expect([service.batches, service.persons.size, service.asked.length]).toEqual([[[ids[0]]], ids.length, 1])
})

test('a 404 after a good answer is not called a service without the request', async () => {
  const service = bulkService(ids, { reply: sent => (sent.length === 1 ? undefined : unknown) })
  const { code, stderr } = await ran(service)
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('The service does not answer bulk_delete any more (status 404)'),
  ])
  expect(stderr).not.toContain('without --batch')
})

test('who is still there after 60 s stops the run, and a resume begins with that one alone', async () => {
  const service = bulkService(ids, { queue: 1000 })
  const { code, told, slept, stderr } = await ran(service)
  expect([code, told, slept]).toEqual([5, ['failed still-there', left, left, left], 60_000])
  expect(stderr).toContain('still there')
  expect(service.batches).toEqual([[ids[0]]])
})

test.each([4, 1])('a queue of the service is waited for with the first target only, of %i', async count => {
  const { code, told } = await ran(bulkService(ids, { queue: 5 }), '', count)
  expect([code, told.at(-1)]).toEqual([0, accepted])
})

/** The first target is deleted; the others get this answer. */
const second = (reply: (sent: readonly string[]) => unknown) => (sent: readonly string[]) =>
  sent.length === 1 ? undefined : ([202, reply(sent)] as const)

test.each<[string, unknown]>([
  ['a success', { success: true }],
  ['an error', { error: 'no' }],
  ['a failure', { success: false }],
  ['a detail beside counts', { persons_found: 3, detail: 'Failed.' }],
  ['nothing in an object', {}],
  ['a list', []],
  ['a page of a list', { results: [], next: null }],
  ['text', 'Deleted'],
  ['a negative count', { persons_found: -1 }],
  ['a count in text', { persons_found: '3' }],
  ['a broken count', { persons_found: 2.5 }],
  ['more than were named', { persons_found: 4 }],
  ['errors that are no list', { persons_found: 3, deletion_errors: {} }],
  ['errors that are text', { persons_found: 3, deletion_errors: ['no'] }],
  ['unknown ids that are numbers', { persons_found: 3, ids_not_found: [1] }],
])('an answer that is not the counts is no success, and stops the run: %s', async (_, answer) => {
  const service = bulkService(ids, { reply: second(() => answer) })
  const failed = 'failed not-the-service'
  expect(await ran(service)).toMatchObject({ code: 5, told: [accepted, failed, failed, failed] })
})

test.each<[string, (sent: readonly string[]) => unknown, string, string[]]>([
  ['an empty answer', () => undefined, '', [accepted, accepted, accepted]],
  [
    'all found',
    () => ({ persons_found: 3, deletion_errors: null, new_member: {} }),
    '',
    [accepted, accepted, accepted],
  ],
  [
    'an error for one',
    sent => ({ persons_found: 3, deletion_errors: [{ person_uuid: sent[1]?.toUpperCase(), step: 'x' }] }),
    '',
    [accepted, 'failed deletion-error', accepted],
  ],
  [
    'an error for one by number',
    () => ({ persons_found: 3, deletion_errors: [{ person_id: 1002, step: 'x' }] }),
    '',
    [accepted, 'failed deletion-error', accepted],
  ],
  [
    'an error that names nobody: whoever is there may be the one',
    () => ({ persons_found: 3, deletion_errors: [{ step: 'x' }] }),
    '',
    ['failed deletion-error', 'failed deletion-error', 'failed deletion-error'],
  ],
  [
    'one more is there than was found',
    () => ({ persons_found: 2 }),
    '',
    ['failed still-there', 'failed still-there', 'failed still-there'],
  ],
  [
    'one more is there than was deleted or queued',
    () => ({ persons_found: 3, persons_deleted: 1, persons_queued_for_deletion: 1 }),
    '',
    ['failed still-there', 'failed still-there', 'failed still-there'],
  ],
  [
    'one is said to be unknown, and is there',
    sent => ({ persons_found: 2, ids_not_found: [sent[2]] }),
    '',
    [accepted, accepted, 'failed still-there'],
  ],
])('what an answer tells while nobody is gone yet: %s', async (_, reply, options, told) => {
  const service = bulkService(ids, { reply: second(reply) })
  expect((await ran(service, options)).told).toEqual([accepted, ...told])
})

const [first = '', , third = '', fourth = ''] = ids

test.each<[string, Partial<Manner>, string, string[]]>([
  ['one was gone', {}, '', [accepted, 'gone answered', 'gone answered', 'gone answered']],
  [
    'one was gone, and the answer says who',
    { form: 'counts and ids' },
    '',
    [accepted, 'gone answered', accepted, accepted],
  ],
  [
    'it is not known whose events were queued',
    {},
    '--delete-events',
    [accepted, 'failed events-unknown', 'failed events-unknown', 'failed events-unknown'],
  ],
  [
    'the answer says whose events were not queued',
    { form: 'counts and ids' },
    '--delete-events',
    [accepted, 'failed events-unknown', accepted, accepted],
  ],
  ['the others are not gone yet', { queue: 8 }, '', [accepted, 'gone answered', accepted, accepted]],
])('where fewer are counted than were sent, each is read: %s', async (_, manner, options, told) => {
  const service = bulkService([first, third, fourth], manner)
  expect((await ran(service, options)).told).toEqual(told)
})

test('after a lost answer what is gone was deleted by it', async () => {
  const service = bulkService(ids, { fates: ['answered', 'answered', 'answered', 'answered', 'lost'] })
  const { code, told } = await ran(service, '--delete-events')
  expect([code, told]).toEqual([0, [accepted, 'deleted inferred', 'deleted inferred', 'deleted inferred']])
  expect(service.batches).toHaveLength(3)
})

test('delete_events is sent only where it is asked for', async () => {
  const service = bulkService(ids)
  await ran(service)
  expect(service.events.size).toBe(0)
  const other = bulkService(ids)
  await ran(other, '--delete-events')
  expect([...other.events]).toEqual(ids.slice(0, 4))
})

test('a person who does not exist is exit 3 alone, and gone among several', async () => {
  const service = bulkService([])
  expect(await ran(service, '', 1)).toMatchObject({ code: 3, told: ['gone answered'] })
  expect(await ran(service)).toMatchObject({ code: 0, told: Array(4).fill('gone answered') })
})
