/** What a run costs where the server limits requests: each refused request is one too many. */
import { expect, test } from 'vitest'
import type { Request } from '../../src/http/message.ts'
import { retry } from '../../src/http/retry.ts'
import { noon, type StoppedClock, stoppedClock } from '../clock.ts'
import { answered, get, responseOf, retryOptions } from './loopback.ts'

const read: Request = get(new URL('https://analytics.example.com'))

/** Milliseconds until a request may pass, 0 for now. All of them let through 240 a minute. */
const limits: Record<string, () => (now: number) => number> = {
  'one each 250 ms': () => {
    let free = 0
    return now => {
      if (now < free) return free - now
      free = now + 250
      return 0
    }
  },
  'a bucket of 5': bucket(5),
  'a bucket of 20': bucket(20),
  'all but each 15th': () => {
    let count = 0
    return () => (++count % 15 === 0 ? 1000 : 0)
  },
  'four each second': () => {
    const passed = new Map<number, number>()
    return now => {
      const second = Math.floor(now / 1000)
      passed.set(second, (passed.get(second) ?? 0) + 1)
      return (passed.get(second) ?? 0) <= 4 ? 0 : 1000 - (now % 1000)
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
      if (tokens < 1) return (1 - tokens) * 250
      tokens--
      return 0
    }
  }
}

/** The workers send their requests, each with its response after 20 ms; only the clock of the test moves. */
async function run(limit: string, status: 429 | 503, says: boolean, workers = 8, requests = 60) {
  const clock = stoppedClock()
  const wait = limits[limit]?.() ?? (() => 0)
  let sent = 0
  const send = retry(
    async () => {
      sent++
      const ms = wait(clock.elapsed())
      await clock.sleep(20)
      const headers: Record<string, string> = says ? { 'retry-after': String(Math.ceil(ms / 1000)) } : {}
      return answered({ status: ms === 0 ? 200 : status, headers: ms === 0 ? {} : headers, body: Buffer.alloc(0) })
    },
    { ...retryOptions(clock), random: () => 0.5 },
  )
  let left = requests
  const worker = async () => {
    while (left-- > 0) expect(responseOf(await send(read)).status).toBe(200)
  }
  const ended = Promise.all(Array.from({ length: workers }, worker)).then(() => true)
  while (!(await Promise.race([ended, tick(clock)])));
  return { sent, seconds: Math.round((clock.now() - noon) / 1000) }
}

async function tick(clock: StoppedClock): Promise<false> {
  await clock.pass(10)
  return false
}

test.each(
  Object.keys(limits),
)('60 requests at 240 a minute cost at most 110, whether a time is said or not: %s', async limit => {
  for (const [status, says] of [
    [429, false],
    [429, true],
    [503, true],
  ] as const) {
    const { sent, seconds } = await run(limit, status, says)
    expect([status, says, sent]).toEqual([status, says, Math.min(sent, 110)])
    expect(seconds).toBeLessThan(90)
  }
})

test('a shorter gap applies to all waiting requests', async () => {
  expect((await run('all but each 15th', 429, true, 60, 300)).seconds).toBeLessThan(60)
})

test('nothing is paced before the first refusal', async () => {
  expect(await run('none', 429, false)).toEqual({ sent: 60, seconds: 0 })
})

test('after a refusal one request is sent before the others', async () => {
  const clock = stoppedClock()
  const sent: string[] = []
  let isBusy = true
  const send = retry(
    async ({ url }) => {
      sent.push(url.pathname)
      return answered({ status: isBusy ? 429 : 200, headers: { 'retry-after': '5' }, body: Buffer.alloc(0) })
    },
    { ...retryOptions(clock), random: () => 0.5 },
  )
  const base = new URL('https://analytics.example.com')
  const all = ['/1', '/2', '/3'].map(path => send(get(base, path)))
  for (let s = 0; s < 11; s++) await clock.pass(1000)
  expect(sent).toEqual(['/1', '/2', '/3', '/1', '/1'])
  isBusy = false
  for (let s = 0; s < 60; s++) await clock.pass(1000)
  expect((await Promise.all(all)).map(sent => responseOf(sent).status)).toEqual([200, 200, 200])
  expect(sent).toHaveLength(8)
})
