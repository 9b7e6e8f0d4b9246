/** What a run costs where the server limits requests and names no time: each refused request is one too many. */
import { expect, test } from 'vitest'
import type { Request } from '../../src/http/message.ts'
import { Pacer } from '../../src/http/pacer.ts'
import { retry } from '../../src/http/retry.ts'
import { noon, type StoppedClock, stoppedClock } from '../clock.ts'
import { get } from './loopback.ts'

const read: Request = get(new URL('https://analytics.example.com'))

/** Whether a request may pass at this moment. All of them let through 240 a minute. */
const limits: Record<string, () => (now: number) => boolean> = {
  'one each 250 ms': () => {
    let last = Number.NEGATIVE_INFINITY
    return now => {
      if (now - last < 250) return false
      last = now
      return true
    }
  },
  'a bucket of 5': bucket(5),
  'a bucket of 20': bucket(20),
  'four each second': () => {
    const passed = new Map<number, number>()
    return now => {
      const second = Math.floor(now / 1000)
      passed.set(second, (passed.get(second) ?? 0) + 1)
      return (passed.get(second) ?? 0) <= 4
    }
  },
}

function bucket(size: number) {
  return () => {
    let tokens = size
    let last = 0
    return (now: number) => {
      tokens = Math.min(size, tokens + (now - last) / 250)
      last = now
      if (tokens < 1) return false
      tokens--
      return true
    }
  }
}

interface Ran {
  readonly sent: number
  readonly seconds: number
  readonly interval: number | undefined
}

/** Eight workers send so many requests, each answered after 20 ms; no time passes but that of the clock. */
async function run(limit: string, requests: number, rate?: number, refusal = 429): Promise<Ran> {
  const clock = stoppedClock()
  const { signal } = new AbortController()
  const passes = limits[limit]?.() ?? (() => true)
  const pacer = new Pacer({ interval: rate, clock, signal })
  let sent = 0
  const send = retry(
    async () => {
      sent++
      const status = passes(clock.elapsed()) ? 200 : refusal
      await clock.sleep(20)
      return { status, headers: {}, body: { async *[Symbol.asyncIterator]() {} } }
    },
    { retries: 4, clock, random: () => 0.5, signal, pacer },
  )
  let left = requests
  const worker = async () => {
    while (left-- > 0) expect((await send(read)).status).toBe(200)
  }
  const ended = Promise.all(Array.from({ length: 8 }, worker)).then(() => true)
  while (!(await Promise.race([ended, tick(clock)])));
  return { sent, seconds: Math.round((clock.now() - noon) / 1000), interval: pacer.interval() }
}

async function tick(clock: StoppedClock): Promise<false> {
  await clock.pass(10)
  return false
}

const limited = Object.keys(limits)

/** A fault of the server, which no slower rate ends. */
limits['one in 40 refused, whatever the rate'] = () => {
  let asked = 0
  return () => ++asked % 40 !== 0
}

test.each(limited)('60 requests at 240 a minute cost at most 75: %s', async limit => {
  const { sent, seconds } = await run(limit, 60)
  expect(sent).toBeLessThanOrEqual(75)
  expect(seconds).toBeLessThan(70)
})

test.each(limited)('a 503, as nginx refuses what comes too fast, teaches the pace too: %s', async limit => {
  expect((await run(limit, 60, undefined, 503)).sent).toBeLessThanOrEqual(75)
})

test.each(limited)('a long run comes near the limit, and is seldom refused: %s', async limit => {
  const { sent, interval } = await run(limit, 600)
  expect(sent).toBeLessThanOrEqual(640)
  expect(interval).toBeGreaterThan(200)
  expect(interval).toBeLessThan(700)
})

test('refusals that have nothing to do with the rate do not slow a run ever more', async () => {
  const { interval } = await run('one in 40 refused, whatever the rate', 2000)
  expect(interval).toBeLessThan(100)
})

test('a rate that the user gave is kept where it is refused nowhere, and never exceeded', async () => {
  expect(await run('none', 20, 300)).toMatchObject({ sent: 20, interval: 300 })
  expect((await run('four each second', 100, 240)).interval).toBeGreaterThanOrEqual(240)
})

test('nothing is paced before the first refusal', async () => {
  expect(await run('none', 100)).toEqual({ sent: 100, seconds: 0, interval: undefined })
})
