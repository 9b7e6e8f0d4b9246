import { expect, test } from 'vitest'
import { InterruptedError, RefusedError, UnavailableError } from '../../src/errors.ts'
import type { Clock } from '../../src/host.ts'
import { dryRunResponse, guard } from '../../src/http/guard.ts'
import type { Request, Send } from '../../src/http/message.ts'
import { RequestGate } from '../../src/http/request-gate.ts'
import { trace } from '../../src/http/trace.ts'
import { rate } from '../../src/values/duration.ts'
import { fakeClock, noon, stoppedClock, turn } from '../clock.ts'
import { answered, get, responseOf } from './loopback.ts'

const origin = 'https://analytics.example.com'
const read = get(new URL(origin), '/api/projects/1/persons/?email=ada%40example.com')
const write: Request = { ...read, method: 'PATCH', effect: 'set', body: '{"name":"Ada"}' }
const remove: Request = { ...read, method: 'DELETE', effect: 'set', destroys: true }
const split: Request = { ...read, method: 'POST', effect: 'act', destroys: true }
const view: Request = { ...read, method: 'POST', body: '{"properties":{}}' }

/** A service that says yes to everything, and what reached it. */
function service() {
  const sent: Request[] = []
  const send: Send = async request => {
    sent.push(request)
    return answered({ status: 200, headers: {}, body: Buffer.alloc(0) })
  }
  return { send, sent }
}

test.each([
  ['read-only', [read, view], [write, remove, split]],
  ['no-delete', [read, view, write], [remove, split]],
] as const)('the safety level %s refuses with its name', async (level, passing, refused) => {
  const { send, sent } = service()
  const guarded = guard(send, { dryRun: undefined, safety: { level, source: 'profile prod' } })
  for (const request of passing) await guarded(request)
  expect(sent).toEqual(passing)
  for (const request of refused) {
    const error = await guarded(request).catch(error => error)
    expect(error).toBeInstanceOf(RefusedError)
    expect(error.message).toContain(level)
    expect(error.details.hint).toContain('profile prod')
    expect(error.details.url).not.toContain('ada')
  }
  expect(sent).toEqual(passing)
})

test('a dry run passes reads, and responds to writes as accepted', async () => {
  const { send, sent } = service()
  const taken: Request[] = []
  const guarded = guard(send, { dryRun: request => taken.push(request), safety: undefined })
  expect(responseOf(await guarded(view))).not.toBe(dryRunResponse)
  expect(responseOf(await guarded(remove))).toBe(dryRunResponse)
  await guarded(write)
  expect([sent, taken]).toEqual([[view], [remove, write]])
})

test('no safety level refuses a dry run', async () => {
  const taken: Request[] = []
  const guarded = guard(service().send, {
    dryRun: request => taken.push(request),
    safety: { level: 'read-only', source: 'ANALYTICS_SAFETY' },
  })
  await guarded(remove)
  expect(taken).toEqual([remove])
})

/** A service whose requests wait for their turn, ten a second. */
function pacedService(clock: Clock, signal = new AbortController().signal) {
  const { send, sent } = service()
  const gate = new RequestGate(clock, 100)
  const paced: Send = async request => {
    await gate.take({}, signal)
    return send(request)
  }
  return { paced, sent }
}

test('requests are spaced evenly', async () => {
  const clock = stoppedClock()
  const { paced, sent } = pacedService(clock)
  const all = Promise.all([paced(read), paced(read), paced(read)])
  await turn()
  expect([sent.length, clock.sleeps]).toEqual([1, [100]])
  await clock.pass(100)
  expect([sent.length, clock.sleeps]).toEqual([2, [100, 100]])
  await clock.pass(100)
  await all
  await clock.pass(10_000)
  // The pause before does not buy a burst.
  void paced(read)
  void paced(read)
  await turn()
  expect(sent.length).toBe(4)
})

test('waits do not change when the clock is set', async () => {
  const clock = fakeClock()
  const { paced } = pacedService(clock)
  await paced(read)
  clock.set(noon - 3_600_000)
  await paced(read)
  clock.set(noon + 3_600_000)
  await paced(read)
  expect(clock.sleeps).toEqual([100, 100])
})

test('an interruption ends the wait of a request in the queue', async () => {
  const interruption = new AbortController()
  const reason = new InterruptedError('SIGINT')
  const { paced, sent } = pacedService(stoppedClock(), interruption.signal)
  await paced(read)
  const waiting = paced(read)
  interruption.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  expect(sent.length).toBe(1)
})

test('a rate is the time between two requests', () => {
  expect(['10/s', '240/m', '1200/h', '0.5/s'].map(rate.parse)).toEqual([100, 250, 3000, 2000].map(value => ({ value })))
  for (const text of ['', '10', '0/s', '-1/s', '10/d', 'x/s']) expect(rate.parse(text)).toHaveProperty('problem')
})

test('each attempt leaves one line, without query, headers or body', async () => {
  const clock = fakeClock()
  const lines: string[] = []
  const slow: Send = async request => {
    await clock.sleep(12.3)
    if (request.attempt === 1) {
      return { certainty: 'unknown', failure: new UnavailableError('Cut', { code: 'ECONNRESET' }) }
    }
    return answered({ status: 200, headers: { 'set-cookie': 'secret' }, body: Buffer.alloc(0) })
  }
  const traced = trace(slow, line => lines.push(line), clock)
  await traced({ ...write, headers: { authorization: 'Bearer the-key' }, attempt: 1 })
  await traced({ ...write, attempt: 2 })
  expect(lines).toEqual([
    'PATCH /api/projects/1/persons/ ECONNRESET 12 ms attempt 1',
    'PATCH /api/projects/1/persons/ 200 12 ms attempt 2',
  ])
})
