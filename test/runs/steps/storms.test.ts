/** A gateway that responds with 404 to everything for a while. `random-runs.test.ts` has storms at random. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Model, modelService, rowOf } from '../../model-service.ts'
import { newWorld } from '../../world.ts'

const ids = Array.from({ length: 12 }, (_, i) => String(i + 1))

interface Weather {
  /** A gateway responds with 404 to so many requests, from this one on. */
  readonly start: number
  readonly length: number
}

function stormyService(persons: readonly string[], { start, length }: Weather): Model {
  return modelService({ persons, fateOf: n => (n >= start && n < start + length ? '404' : 'answered') })
}

const healthy = { start: Number.POSITIVE_INFINITY, length: 0 }

const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1/', ANALYTICS_API_KEY: 'key-of-a-test', ANALYTICS_PROJECT: '1' }

test.each([1, 2, 3, 4])('a person counts as gone in a storm of %i responses only once proved', async length => {
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

test('without a storm each 404 costs one request and a share of the lists', async () => {
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

test('persons verify exits with 7 if its last list fails', async () => {
  const world = newWorld()
  const service = stormyService(ids, { start: 3, length: 100 })
  const run = (line: string) => world.run(line.split(' '), { env, dispatcher: service.dispatcher })
  expect((await run('persons delete 1 --yes --receipt r.json')).code).toBe(0)
  service.put('persons', '1', rowOf('persons', 1))
  expect(service.asked).toHaveLength(1)
  const { code, stderr } = await run('persons verify --receipt r.json --retries 0')
  expect([code, stderr]).toEqual([7, expect.stringContaining('Cannot verify')])
})

/** The outcomes of a resume after a run whose process was killed while it waited for the response to this request. */
async function afterKill(service: Model, request: number, line: string) {
  const world = newWorld()
  const [state, kept] = [join(world.folder, 'state'), join(world.folder, 'kept')]
  const dispatch: Model['dispatcher']['dispatch'] = (options, handler) => {
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
])('a deletion that is sent again after a storm and then killed counts as inferred%s', async events => {
  const service = stormyService(['1', '2'], { start: 0, length: 1 })
  const line = `persons delete 1 2${events} --yes --concurrency 1`
  expect((await afterKill(service, 3, line))[0]).toMatchObject(inferred)
})
