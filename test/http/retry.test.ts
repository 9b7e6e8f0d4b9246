import { expect, test } from 'vitest'
import { type Failure, InterruptedError, RateLimitedError, UnavailableError } from '../../src/errors.ts'
import type { Request, Response, Send, Sent } from '../../src/http/message.ts'
import { retry } from '../../src/http/retry.ts'
import { type FakeClock, fakeClock, noon, stoppedClock, turn } from '../clock.ts'
import * as fc from '../fast-check.ts'
import { answered, get, responseOf, retryOptions } from './loopback.ts'

const read = get(new URL('https://analytics.example.com'))
const act: Request = { ...read, method: 'POST', effect: 'act' }
const set: Request = { ...read, method: 'DELETE', effect: 'set', destroys: true }
const lostOnTheWay = unknown(new UnavailableError('The answer was cut off', { retryable: true }))
const neverSent = notSent(new UnavailableError('Refused', { retryable: true }))

function notSent(failure: Failure): Sent {
  return { certainty: 'not-sent', failure }
}

function unknown(failure: Failure): Sent {
  return { certainty: 'unknown', failure }
}

function answer(status: number, headers: Record<string, string> = {}, body = ''): Sent {
  return answered({ status, headers, body: Buffer.from(body) })
}

/** The layer over a service with these responses; the last one is for all later requests. */
function over(script: readonly Sent[], options: Partial<Parameters<typeof retry>[1]> = {}) {
  const attempts: number[] = []
  const announced: string[] = []
  const clock = (options.clock as FakeClock | undefined) ?? fakeClock()
  const next: Send = async request => {
    attempts.push(request.attempt ?? 1)
    return script[Math.min(attempts.length, script.length) - 1] ?? answer(200)
  }
  const send = retry(next, { ...retryOptions(clock), notice: line => announced.push(line), ...options })
  return { send, attempts, announced, sleeps: clock.sleeps }
}

test('a success is returned at once', async () => {
  const { send, attempts, sleeps } = over([answer(200, {}, '{"id":1}')])
  expect(String(responseOf(await send(read)).body)).toBe('{"id":1}')
  expect({ attempts, sleeps }).toEqual({ attempts: [1], sleeps: [] })
})

test('pauses double from 250 ms, and are shortened at random by up to a half', async () => {
  const longest = over([answer(500)])
  await longest.send(read)
  expect(longest.sleeps).toEqual([250, 500, 1000, 2000])
  const shortest = over([answer(500)], { random: () => 0 })
  await shortest.send(read)
  expect(shortest.sleeps).toEqual([125, 250, 500, 1000])
})

test('the last response is returned as its failure', async () => {
  const { send, attempts } = over([answer(503), answer(502, {}, '{"detail":"Bad gateway"}')], { retries: 1 })
  const sent = await send(read)
  expect(sent).toMatchObject({ certainty: 'unknown', failure: { message: 'The server failed (502): Bad gateway' } })
  expect(attempts).toEqual([1, 2])
})

const anything: readonly Request['effect'][] = ['read', 'set', 'act']
const harmless: readonly Request['effect'][] = ['read', 'set']

test.each<[string, Sent, readonly Request['effect'][]]>([
  ['429', answer(429), anything],
  ['503 with Retry-After', answer(503, { 'retry-after': '1' }), anything],
  ['503 without', answer(503), harmless],
  ['408', answer(408), harmless],
  ['421', answer(421), harmless],
  ['425', answer(425), harmless],
  ['500', answer(500), harmless],
  ['a lost answer', lostOnTheWay, harmless],
  ['a request that was never sent', neverSent, anything],
  ['a certificate that is not trusted', notSent(new UnavailableError('TLS', { retryable: false })), []],
  ['400', answer(400), []],
  ['404', answer(404), []],
  ['302', answer(302), []],
  ['an interruption', notSent(new InterruptedError('SIGINT')), []],
])('%s: the request is sent again only if that is safe', async (_, line, effects) => {
  for (const effect of anything) {
    const { send, attempts } = over([line, answer(200)])
    await send({ ...read, effect })
    expect([effect, attempts.length]).toEqual([effect, effects.includes(effect) ? 2 : 1])
  }
})

test('the last failure is returned when no attempt is left', async () => {
  const { send, attempts } = over([lostOnTheWay])
  expect(await send(read)).toEqual(lostOnTheWay)
  expect(attempts).toEqual([1, 2, 3, 4, 5])
})

test('a request without a response stays unknown if the next attempt is not sent', async () => {
  const sent = await over([lostOnTheWay, neverSent]).send(set)
  expect(sent).toMatchObject({ certainty: 'unknown', failure: { exit: 7, message: 'Refused' } })
})

test.each([
  ['seconds', { 'retry-after': '17' }, '', 17_000],
  [
    'a date, from the date of the answer',
    { 'retry-after': 'Fri, 01 Jan 2027 00:00:30 GMT', date: 'Fri, 01 Jan 2027 00:00:00 GMT' },
    '',
    30_000,
  ],
  ['a date, from our clock', { 'retry-after': new Date(noon + 9000).toUTCString() }, '', 9000],
  ['the sentence in the body', {}, '{"detail":"Request was throttled. Expected available in 42 seconds."}', 42_000],
  ['nothing', {}, '{"detail":"Request was throttled."}', 250],
  ['no time at all', { 'retry-after': '0' }, '', 250],
  ['nonsense', { 'retry-after': 'soon' }, '', 250],
])('the wait after a 429 is as long as it asks: %s', async (_, headers, body, wait) => {
  const { send, sleeps } = over([answer(429, headers, body), answer(200)])
  expect(responseOf(await send(read)).status).toBe(200)
  expect(sleeps).toEqual([wait])
})

test('a wait that is longer than allowed does not begin', async () => {
  const { send, sleeps } = over([answer(429, { 'retry-after': '301' }, 'later')])
  const sent = await send(read)
  expect(sent).toMatchObject({
    certainty: 'not-sent',
    failure: { exit: 6, details: { status: 429, retryAfterSeconds: 301 } },
  })
  expect(sleeps).toEqual([])
})

test('a wait of more than 2 s is announced with its end in UTC', async () => {
  const long = over([answer(429, { 'retry-after': '17' }), answer(200)])
  await long.send(read)
  expect(long.announced).toEqual(['The server asks to wait 17 s, until 12:00:17Z'])
  const short = over([answer(429, { 'retry-after': '2' }), answer(200)])
  await short.send(read)
  expect(short.announced).toEqual([])
  const own = over([lostOnTheWay, lostOnTheWay, lostOnTheWay, lostOnTheWay, lostOnTheWay, answer(200)], { retries: 9 })
  await own.send(read)
  expect(own.announced).toEqual([expect.stringMatching(/^The server is not available. Retrying in 4 s, at /)])
})

test('a 429 delays all requests with one wait and one announcement', async () => {
  const clock = stoppedClock()
  let busy = true
  const sent: string[] = []
  const announced: string[] = []
  const send = retry(
    async request => {
      sent.push(request.url.pathname)
      return busy ? answer(429, { 'retry-after': '60' }) : answer(200)
    },
    { ...retryOptions(clock), notice: line => announced.push(line) },
  )
  const base = new URL('https://analytics.example.com')
  const early = [send(get(base, '/1')), send(get(base, '/2'))]
  await turn()
  const late = send(get(base, '/3'))
  await clock.pass(59_000)
  expect(sent).toEqual(['/1', '/2'])
  // Somebody corrects the clock by an hour: the wait is as long as it was.
  clock.set(noon - 3_600_000)
  busy = false
  await clock.pass(1000)
  expect(sent).toEqual(['/1', '/2', '/1'])
  for (let i = 0; i < 4; i++) await clock.pass(250)
  expect((await Promise.all([...early, late])).map(sent => responseOf(sent).status)).toEqual([200, 200, 200])
  expect([sent.slice(3).sort(), clock.sleeps[0], announced.length]).toEqual([['/2', '/3'], 60_000, 1])
})

/** When each attempt was sent, in ms from now, at ten a second; `script` has the first responses. */
async function pacedAttempts(requests: number, script: readonly Sent[]) {
  const clock = stoppedClock()
  const times: number[] = []
  const answers = [...script]
  const send = retry(
    async () => {
      times.push(clock.now() - noon)
      return answers.shift() ?? answer(200)
    },
    { ...retryOptions(clock), intervalMs: 100 },
  )
  const all = Promise.all(Array.from({ length: requests }, () => send(read)))
  await turn()
  for (let ms = 0; ms < 10_000; ms += 50) await clock.pass(50)
  await all
  return times
}

test('a rate limits attempts, not requests', async () => {
  expect(await pacedAttempts(4, [answer(500), lostOnTheWay])).toEqual([0, 100, 200, 300, 400, 500])
})

test('after a 429 no request is sent too early, and not all are sent at once', async () => {
  expect(await pacedAttempts(4, [answer(200), answer(429, { 'retry-after': '2' })])).toEqual([0, 100, 2100, 2350, 2600])
})

test.each([
  ['that the service asked for', 429],
  ['of our own', 500],
])('an interruption ends a wait %s with its own reason', async (_, status) => {
  const interruption = new AbortController()
  const reason = new InterruptedError('SIGTERM')
  const waiting = over([answer(status)], { clock: stoppedClock(), signal: interruption.signal }).send(read)
  await turn()
  interruption.abort(reason)
  expect(await waiting).toEqual({ certainty: status >= 500 ? 'unknown' : 'not-sent', failure: reason })
})

test('the caller sees the result of each attempt', async () => {
  const missing = answer(404)
  for (const [script, certainties] of [
    [
      [lostOnTheWay, missing],
      ['unknown', 'answered'],
    ],
    [
      [answer(502), missing],
      ['unknown', 'answered'],
    ],
    [
      [answer(429), missing],
      ['not-sent', 'answered'],
    ],
    [
      [neverSent, missing],
      ['not-sent', 'answered'],
    ],
    [[missing], ['answered']],
  ] as const) {
    const noted: string[] = []
    const aroundAttempt: Request['aroundAttempt'] = async attempt => {
      const sent = await attempt()
      noted.push(sent.certainty)
      return sent
    }
    await over(script).send({ ...set, aroundAttempt })
    expect(noted).toEqual(certainties)
  }
})

test('after its run stops, a waiting request is dropped', async () => {
  const stop = new AbortController()
  const clock = stoppedClock()
  const { send, attempts } = over([answer(429, { 'retry-after': '60' })], { clock })
  const waiting = [1, 2, 3].map(() => send({ ...set, signal: stop.signal }))
  await turn()
  const reason = new RateLimitedError('Stopped')
  stop.abort(reason)
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ certainty: 'not-sent', failure: reason })))
  await clock.pass(120_000)
  expect(attempts).toEqual([1, 1, 1])
})

test('attempts and waits stay within their limits for any response', async () => {
  const line = fc.oneof(
    fc.record({ status: fc.constantFrom(200, 204, 400, 404, 429, 500, 502, 503), after: fc.option(fc.nat(400)) }),
    fc.constantFrom(lostOnTheWay, neverSent),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1 }),
      fc.nat(6),
      fc.constantFrom(read, set, act),
      async (lines, retries, request) => {
        const script = lines.map(one =>
          'certainty' in one ? one : answer(one.status, one.after === null ? {} : { 'retry-after': String(one.after) }),
        )
        const { send, attempts, sleeps } = over(script, { retries })
        await send(request)
        expect(attempts.length).toBeLessThanOrEqual(retries + 1)
        expect(sleeps).toHaveLength(attempts.length - 1)
        expect(Math.max(0, ...sleeps)).toBeLessThanOrEqual(300_000)
        const unsafe = script
          .slice(0, attempts.length - 1)
          .filter(one => one === lostOnTheWay || ('response' in one && (one.response as Response).status === 500))
        if (request.effect === 'act') expect(unsafe).toEqual([])
      },
    ),
  )
})
