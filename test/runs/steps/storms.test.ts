/** A gateway that answers 404 to everything for a while: what is recorded must be true, and a resume must finish it. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as fc from '../../fast-check.ts'
import { type Manner, type Model, modelService, rowOf } from '../../model-service.ts'
import { newWorld, World } from '../../world.ts'

interface Outcome {
  readonly id: string
  readonly status: string
  readonly error: { readonly code: string } | null
}

type Kept = Omit<Outcome, 'error'> & { readonly error: string | null }

const ids = Array.from({ length: 12 }, (_, i) => String(i + 1))
const bystanders = ['13', '14', '15']
/** Gone before the run. */
const gone = ['1', '7']

interface Weather {
  /** A gateway answers so many requests from this one on with 404. */
  readonly start: number
  readonly length: number
  /** The request before that is a 502. */
  readonly failsBefore?: boolean
  readonly deleted?: Manner['deleted']
}

function stormyService(persons: readonly string[], { start, length, failsBefore, deleted }: Weather): Model {
  const fateOf = (request: number) => {
    if (request >= start && request < start + length) return '404'
    return failsBefore && request === start - 1 ? '502' : 'answered'
  }
  return modelService({ persons, fateOf, ...(deleted && { deleted }) })
}

const healthy = { start: Number.POSITIVE_INFINITY, length: 0 }

const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1/', ANALYTICS_API_KEY: 'key-of-a-test', ANALYTICS_PROJECT: '1' }

const deletions = {
  plain: '',
  backup: '--backup b.ndjson',
  events: '--delete-events',
  'few failures': '--delete-events --max-failures 2',
} as const

async function passes(weather: Weather, options: string, concurrency: number): Promise<void> {
  const world = new World()
  try {
    const service = stormyService(
      [...ids, ...bystanders].filter(id => !gone.includes(id)),
      weather,
    )
    const run = (line: string) => world.run(line.split(' '), { env, dispatcher: service.dispatcher })
    const whole = `persons delete ${ids.join(' ')} --yes --retries 0 --concurrency ${concurrency} --receipt r.json ${options}`
    let { code } = await run(whole.trim())
    isTrue(world, code, service, options)
    for (let round = 0; service.left().length > bystanders.length && round < 60; round++) {
      code = (await run('jobs resume --last --receipt r.json --retries 0')).code
      isTrue(world, code, service, options)
    }
    expect(service.left(), JSON.stringify(weather)).toEqual(bystanders)
  } finally {
    world.remove()
  }
}

/** The receipt says of nobody who is there that they are gone, and of nobody who was there that they were not. */
function isTrue(world: World, code: number, service: Model, options: string): void {
  const receipt = JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8'))
  const outcomes: readonly Kept[] = receipt.outcomes
  for (const { id, status, error } of outcomes) {
    const says = status === 'failed' ? error : status
    if (['deleted', 'gone', 'events-unknown'].includes(says ?? '')) {
      expect([id, says, service.left().includes(id)]).toEqual([id, says, false])
    }
    if (says === 'gone' || says === 'events-unknown') expect(gone).toContain(id)
  }
  expect(receipt.complete).toBe(outcomes.every(({ status }) => status !== 'left'))
  if (code === 0 && !options.includes('--delete-events')) expect(receipt.complete).toBe(true)
}

test('one storm at every start, whether short or long, makes no false receipt', async () => {
  for (let start = 0; start < 14; start++) {
    for (const length of [1, 2, 3, 4, 10]) await passes({ start, length }, '', 1)
  }
})

test('neither does one in any kind of deletion, after a 502 that did nothing, with several requests at once', async () => {
  const weather = fc.record({
    start: fc.nat(40),
    length: fc.integer({ min: 1, max: 40 }),
    failsBefore: fc.boolean(),
    deleted: fc.constantFrom(202 as const, 204 as const),
  })
  const options = fc.constantFrom(...Object.values(deletions))
  await fc.assert(
    fc.asyncProperty(weather, options, fc.constantFrom(1, 8), (...storm) => passes(...storm)),
    { numRuns: 30 },
  )
})

test('an update is not found only where the person is missing', async () => {
  const weather = fc.record({ start: fc.nat(16), length: fc.integer({ min: 1, max: 16 }), failsBefore: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(weather, async storm => {
      const world = new World()
      try {
        const service = stormyService(ids.slice(1), storm)
        const line = `persons update ${ids.join(' ')} --set plan=pro --yes --retries 0 --concurrency 1 -o ndjson`
        const run = (line: string) => world.run(line.split(' '), { env, dispatcher: service.dispatcher })
        let { stdout } = await run(line)
        for (let round = 0; round < 60; round++) {
          for (const { id, status, error } of outcomesIn(stdout)) {
            if (error?.code === 'not-found') expect(id).toBe('1')
            if (status === 'updated') expect(service.find('persons', id)?.properties).toMatchObject({ plan: 'pro' })
          }
          const rows = service.left().map(id => JSON.stringify(service.find('persons', id)))
          if (rows.every(row => row.includes('"plan":"pro"'))) return
          stdout = (await run('jobs resume --last --retries 0 -o ndjson')).stdout
        }
        expect.unreachable(JSON.stringify(storm))
      } finally {
        world.remove()
      }
    }),
    { numRuns: 20 },
  )
})

function outcomesIn(stdout: string): readonly Outcome[] {
  return stdout
    .split('\n')
    .filter(line => line.startsWith('{"id"'))
    .map(line => JSON.parse(line))
}

test.each([1, 2, 3, 4])('one person in a storm of %i answers is gone only once that is proved', async length => {
  for (const [start, exists] of [
    [0, true],
    [1, true],
    [0, false],
    [1, false],
  ] as const) {
    const world = newWorld()
    const service = stormyService(exists ? ['1'] : [], { start, length })
    const { code } = await world.run('persons delete 1 --yes --retries 0'.split(' '), {
      env,
      dispatcher: service.dispatcher,
    })
    expect([code === 0, code === 0 || code === 3 || code === 5]).toEqual([exists && service.left().length === 0, true])
  }
})

test('what is healthy stays cheap: a request for each 404, and a share of the lists', async () => {
  const many = Array.from({ length: 300 }, (_, i) => String(i + 1))
  const costOf = async (there: readonly string[]) => {
    const service = stormyService(there, healthy)
    const { code } = await newWorld().run(['persons', 'delete', ...many, '--yes'], {
      env,
      dispatcher: service.dispatcher,
    })
    expect(code).toBe(0)
    return service.asked.length
  }
  const whole = await costOf(many)
  expect(whole).toBe(300)
  for (const missing of [1, 100, 299]) {
    expect(await costOf(many.slice(missing))).toBeLessThanOrEqual(whole + 2 * missing + 2)
  }
})

test('persons verify cannot tell who is gone where its last list is not answered', async () => {
  const world = newWorld()
  const service = stormyService(ids, { start: 3, length: 100 })
  const run = (line: string) => world.run(line.split(' '), { env, dispatcher: service.dispatcher })
  expect((await run('persons delete 1 --yes --receipt r.json')).code).toBe(0)
  service.put('persons', '1', rowOf('persons', 1))
  expect(service.asked).toHaveLength(1)
  const { code, stderr } = await run('persons verify --receipt r.json --retries 0')
  expect([code, stderr]).toEqual([7, expect.stringContaining('Cannot verify')])
})

test('what is there after its 404 is sent again once, and the run stops where both answers stand', async () => {
  const service = stormyService(['1', '2'], healthy)
  const { dispatch } = service.dispatcher
  const hidden = { ...service.dispatcher, dispatch: hideFrom('DELETE', '1', dispatch) }
  const { code, stderr } = await newWorld().run('persons delete 1 2 --yes'.split(' '), { env, dispatcher: hidden })
  expect([code, stderr]).toEqual([5, expect.stringContaining('shows it when it is read')])
  expect(service.asked.filter(line => line.startsWith('DELETE') && line.includes('/404/'))).toHaveLength(2)
})

/** The outcomes of a resume after a run whose process was killed while it waited for the answer to this request. */
async function afterKill(service: Model, request: number, line: string) {
  const world = newWorld()
  const [state, kept] = [join(world.folder, 'state'), join(world.folder, 'kept')]
  const dispatch: Dispatch = (options, handler) => {
    if (service.asked.length === request) cpSync(state, kept, { recursive: true })
    return service.dispatcher.dispatch(options, handler)
  }
  await world.run(line.split(' '), { env, dispatcher: { ...service.dispatcher, dispatch } })
  rmSync(state, { recursive: true })
  cpSync(kept, state, { recursive: true })
  world.pid++
  const resume = 'jobs resume --last --receipt r.json'.split(' ')
  await world.run(resume, { env, dispatcher: service.dispatcher })
  return JSON.parse(readFileSync(join(world.folder, 'r.json'), 'utf8')).outcomes
}

const inferred = { id: '1', status: 'deleted', evidence: 'inferred' }

test.each([
  '',
  ' --delete-events',
])('who is sent again after a storm may be done by a run that is killed then%s', async events => {
  const service = stormyService(['1', '2'], { start: 0, length: 1 })
  const line = `persons delete 1 2${events} --yes --concurrency 1`
  expect((await afterKill(service, 3, line))[0]).toMatchObject(inferred)
})

type Dispatch = Model['dispatcher']['dispatch']

/** A server that answers 404 to one method, although the person is there. */
function hideFrom(method: string, id: string, dispatch: Dispatch): Dispatch {
  return (options, handler) =>
    dispatch(
      options.method === method && options.path.endsWith(`/${id}/`)
        ? { ...options, path: options.path.replace(/[^/]+\/$/, '404/') }
        : options,
      handler,
    )
}
