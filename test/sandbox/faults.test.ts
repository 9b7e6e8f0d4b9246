import { describe, expect, test } from 'vitest'
import { InterruptedError, UnavailableError, UsageError } from '../../src/errors.ts'
import { drawFaults, type InjectedFault, parseFaults } from '../../src/sandbox/faults.ts'
import { newWorld } from '../world.ts'
import { visit } from './visit.ts'

const all = '429@5%,429-bare@2%,500@5%,drop@1%,cut@1%,slow=300ms,short-pages'
const ada = '/api/projects/1/persons/55/'

const get = (path: string) => ({ method: 'GET', url: new URL(path, 'http://sandbox.invalid') })

/** What becomes of one request that is sent again and again. */
function fates(text: string, seed: number, count: number): InjectedFault[] {
  const draw = drawFaults(parseFaults(text), seed)
  return Array.from({ length: count }, () => draw(get(ada)))
}

describe('reading faults', () => {
  test('takes all of them', () => {
    const { chances, slow, switches } = parseFaults(all)
    expect([...chances]).toEqual([
      ['429', 0.05],
      ['429-bare', 0.02],
      ['500', 0.05],
      ['drop', 0.01],
      ['cut', 0.01],
    ])
    expect([slow, ...switches]).toEqual([300, 'short-pages'])
  })

  test('a fault that is unknown is answered with all that there are, in the form that is taken', async () => {
    const { stderr } = await newWorld().run(['--sandbox', '--faults', '404@5%', 'persons', 'list'])
    const [, form = ''] = /Give any of (\S+)\.$/m.exec(stderr) ?? []
    const { chances, slow, switches } = parseFaults(form)
    expect([...chances.keys()]).toEqual(['429', '429-bare', '500', 'drop', 'cut', 'still-there', 'deletion-error'])
    expect([slow, ...switches]).toEqual([300, 'short-pages', 'unlicensed', 'hidden-properties'])
  })

  test.each([
    '',
    '429',
    '429@5',
    '429@101%',
    '404@5%',
    'slow',
    'slow=soon',
    'short-pages@5%',
    '500@5%,,',
    '500@60%,cut@60%',
  ])('refuses %j', text => expect(() => parseFaults(text)).toThrow(UsageError))
})

describe('drawing fates', () => {
  test('the same seed draws the same', () => {
    expect(fates(all, 7, 500)).toEqual(fates(all, 7, 500))
    expect(fates(all, 7, 500)).not.toEqual(fates(all, 8, 500))
  })

  test('a request meets the same fate whatever was sent before it, and wherever it is sent', () => {
    const [one, other] = [drawFaults(parseFaults(all), 7), drawFaults(parseFaults(all), 7)]
    const paths = Array.from({ length: 200 }, (_, id) => `/api/projects/1/persons/${id}/`)
    const forth = new Map(paths.map(path => [path, one(get(path))]))
    const back = paths
      .toReversed()
      .map(path => [path, other({ ...get(path), url: new URL(path, 'http://[::1]:8010') })])
    expect(new Map(back as [string, InjectedFault][])).toEqual(forth)
  })

  test('the first requests of many commands do not share a fate', () => {
    const first = (path: string) => drawFaults(parseFaults('500@50%'), 7)(get(path)).fault
    const struck = Array.from({ length: 1000 }, (_, id) => first(`/api/projects/1/persons/${id}/`)).filter(Boolean)
    expect(struck.length).toBeGreaterThan(430)
    expect(struck.length).toBeLessThan(570)
  })

  test('a method or a body makes another request of it', () => {
    const draw = (request: { method: string; body?: string }) =>
      drawFaults(parseFaults('short-pages'), 7)({ ...get(ada), ...request }).share
    const shares = [
      draw({ method: 'GET' }),
      draw({ method: 'PATCH', body: '{"a":1}' }),
      draw({ method: 'PATCH', body: '{"a":2}' }),
    ]
    expect(new Set(shares).size).toBe(3)
  })

  test('each fault comes about as often as it should', () => {
    const drawn = fates(all, 1, 20_000)
    const share = (fault: string) => drawn.filter(fate => fate.fault === fault).length / drawn.length
    expect(share('429')).toBeCloseTo(0.05, 2)
    expect(share('429-bare')).toBeCloseTo(0.02, 2)
    expect(share('500')).toBeCloseTo(0.05, 2)
    expect(share('drop')).toBeCloseTo(0.01, 2)
    expect(drawn.filter(({ done }) => done).length / drawn.length).toBeCloseTo(0.5, 1)
  })
})

describe('a sandbox with faults', () => {
  test('throttles, and says for how long', async () => {
    const { ask } = await visit({ faults: '429@100%' })
    const { status, headers, json } = await ask('GET', ada)
    expect([status, headers['retry-after'], json.code]).toEqual([429, '1', 'throttled'])
  })

  test('throttles without a header', async () => {
    const { ask } = await visit({ faults: '429-bare@100%' })
    const { status, headers, json } = await ask('GET', ada)
    expect([status, headers['retry-after']]).toEqual([429, undefined])
    expect(json).toMatchObject({ detail: 'Request was throttled. Expected available in 1 second.' })
  })

  test.each(['429@100%', '500@100%'])('has done nothing when it answers %s', async faults => {
    const broken = await visit({ faults })
    for (let i = 0; i < 10; i++) await broken.ask('DELETE', ada)
    expect((await (await visit({ folder: broken.folder })).ask('GET', ada)).status).toBe(200)
  })

  test('is slow by the clock that it is given', async () => {
    const { ask, sleeps } = await visit({ faults: 'slow=300ms' })
    await ask('GET', ada)
    expect(sleeps).toEqual([300])
  })

  test.each([
    ['--timeout 1 --retries 0', undefined, 7, 'sandbox.invalid timed out after 1 s.'],
    ['', new InterruptedError('SIGINT'), 130, 'Interrupted.'],
    ['', new InterruptedError('SIGTERM'), 143, 'Interrupted.'],
  ])('a slow write ends with %s %s, and is not carried out', async (options, signal, code, message) => {
    const world = newWorld()
    const argv = `--sandbox persons delete 55 --yes --faults slow=3s ${options}`.trim().split(' ')
    const { code: ended, stderr } = await world.run(argv, signal && { interrupted: AbortSignal.abort(signal) })
    expect(ended).toBe(code)
    expect(stderr).toContain(message)
    expect((await world.run(['--sandbox', 'persons', 'get', '55'])).code).toBe(0)
  })

  test.each([
    'drop@100%',
    'cut@100%',
  ])('%s loses the answer to a write that was done half of the time', async faults => {
    const broken = await visit({ faults, seed: 11 })
    const calm = await visit({ folder: broken.folder })
    for (let id = 1; id <= 40; id++) {
      await expect(broken.ask('DELETE', `/api/projects/1/persons/${id}/`)).rejects.toThrow(UnavailableError)
    }
    const { count } = await calm.get('/api/projects/1/persons/')
    expect(count).toBeGreaterThan(15 + 10)
    expect(count).toBeLessThan(55 - 10)
    // The same seed, the same fates.
    const again = await visit({ faults, seed: 11 })
    for (let id = 1; id <= 40; id++) await again.ask('DELETE', `/api/projects/1/persons/${id}/`).catch(() => undefined)
    expect((await (await visit({ folder: again.folder })).get('/api/projects/1/persons/')).count).toBe(count)
  })

  test('cuts an answer in the middle', async () => {
    const { sandbox } = await visit({ faults: 'cut@100%' })
    const { status, headers, body } = await sandbox.send({
      method: 'GET',
      url: new URL('/api/projects/1/persons/', sandbox.baseUrl),
      headers: { authorization: `Bearer ${sandbox.key}` },
      effect: 'read',
      destroys: false,
    })
    let length = 0
    const reading = (async () => {
      for await (const chunk of body) length += chunk.length
    })()
    await expect(reading).rejects.toMatchObject({ exit: 7, facts: { code: 'ECONNRESET', retryable: true } })
    expect(status).toBe(200)
    expect(length).toBe(Math.floor(Number(headers['content-length']) / 2))
  })
})

test('still-there answers the deletion of a person with 202 and deletes nothing', async () => {
  const here = await visit({ dialect: 'observed', faults: 'still-there@100%' })
  expect((await here.ask('DELETE', '/api/projects/1/persons/3/?delete_events=true')).status).toBe(202)
  expect((await here.ask('GET', '/api/projects/1/persons/3/')).status).toBe(200)
  expect((await here.ask('DELETE', '/api/projects/2/')).status).toBe(204)
})

test('hidden-properties shows nobody any property, and filters know of none', async () => {
  const here = await visit({ dialect: 'observed', faults: 'hidden-properties' })
  const persons = '/api/projects/1/persons/'
  const found = async (filter: object) => {
    const properties = encodeURIComponent(JSON.stringify([{ type: 'person', ...filter }]))
    return (await here.get(`${persons}?properties=${properties}`)).results.length
  }
  expect(await here.get(`${persons}55/`)).toMatchObject({ name: 'ada', properties: {} })
  expect((await here.get(`${persons}?distinct_id=ada`)).results).toMatchObject([{ name: 'ada', properties: {} }])
  expect(await found({ key: 'plan', operator: 'is_not', value: 'pro' })).toBe(55)
  expect(await found({ key: 'plan', operator: 'exact', value: 'pro' })).toBe(0)
  expect((await here.get(`${persons}?email=ada@example.com`)).results).toEqual([])
  expect((await here.ask('GET', `${persons}values/?key=plan`)).text).toBe('[]')
  for (const path of ['activity/', '55/properties_timeline/', 'trends/?limit=2', '?search=ada']) {
    expect((await here.ask('GET', persons + path)).text).not.toMatch(/ada@|WELCOME10|"plan"/)
  }
})

test('unlicensed answers changes of event definitions with 402', async () => {
  const here = await visit({ dialect: 'observed', faults: 'unlicensed' })
  const path = `/api/projects/1/event_definitions/${(await here.get('/api/projects/1/event_definitions/')).results[0]?.id}/`
  for (const [method, body] of [
    ['PATCH', '{"tags":["a"]}'],
    ['DELETE', undefined],
  ] as const) {
    const { status, json } = await here.ask(method, path, body)
    expect([status, json.code]).toEqual([402, 'payment_required'])
  }
  expect((await here.ask('GET', path)).status).toBe(200)
})
