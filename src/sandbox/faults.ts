import { UnavailableError } from '../errors.ts'
import { duration, longestTimer } from '../values/duration.ts'
import { units } from '../values/instant.ts'
import type { Kind } from '../values/kinds.ts'
import { type Reply, type SandboxRequest, serverError, waitReply } from './call.ts'
import { hash } from './store.ts'

/** Each hits a share of the requests; a dropped request gets no response. */
const drawn = ['429', '500', 'drop'] as const
type Drawn = (typeof drawn)[number]

interface Faults {
  readonly shares: ReadonlyMap<Drawn, number>
  readonly slowMs: number
  readonly rate: { readonly count: number; readonly withinMs: number } | undefined
}

export const faultsKind: Kind<Faults> = {
  name: 'faults',
  check: () => undefined,
  parse(text) {
    const shares = new Map<Drawn, number>()
    let slowMs = 0
    let rate: Faults['rate']
    for (const part of text.split(',').map(part => part.trim())) {
      const [, name, percent] = /^(\w+)@(\d+(?:\.\d+)?)%$/.exec(part) ?? []
      const fault = drawn.find(one => one === name)
      const wait = duration.parse(/^slow=(.*)$/.exec(part)?.[1] ?? '')
      const [, count, unit = ''] = /^rate=([1-9]\d*)\/([smh])$/.exec(part) ?? []
      if (fault && Number(percent) <= 100) shares.set(fault, Number(percent) / 100)
      else if ('value' in wait && wait.value <= longestTimer) slowMs = wait.value
      else if (count !== undefined) rate = { count: Number(count), withinMs: units[unit] ?? 0 }
      else return { problem: `${JSON.stringify(part)} is not a fault`, hint }
    }
    const sum = [...shares.values()].reduce((a, b) => a + b, 0)
    return sum > 1 + 1e-9 ? { problem: 'the shares come to more than 100%' } : { value: { shares, slowMs, rate } }
  },
}

const hint = 'Use one or more of 429@5%,500@5%,drop@1%,slow=300ms,rate=240/m'

/** Throws `UnavailableError` for a request that is dropped. */
export function withFaults(respond: (request: SandboxRequest) => Reply, faults: Faults, seed: number) {
  const [draw, waitFor] = [drawFaults(faults, seed), limiter(faults)]
  return async (request: SandboxRequest): Promise<Reply> => {
    if (faults.slowMs > 0) await new Promise(resolve => setTimeout(resolve, faults.slowMs))
    const wait = waitFor(Date.now())
    if (wait > 0) return throttled(Math.ceil(wait / 1000))
    const { fault, isDone } = draw(request)
    if (fault === '429') return throttled(1)
    if (fault === '500') return serverError
    if (fault !== 'drop') return respond(request)
    if (isDone) respond(request)
    throw new UnavailableError('This response is dropped')
  }
}

function throttled(seconds: number): Reply {
  return waitReply(429, 'throttled', `Request was throttled. Expected available in ${seconds} seconds.`, seconds)
}

/** Depends only on the seed, the request and its number, so a script meets the same faults each time. */
function drawFaults({ shares }: Faults, seed: number) {
  const sent = new Map<number, number>()
  return ({ method, url, body }: SandboxRequest) => {
    const request = hash(`${seed} ${method} ${url.pathname}${url.search} ${body}`)
    const times = (sent.get(request) ?? 0) + 1
    sent.set(request, times)
    let left = hash(`${request} ${times}`) / 2 ** 32
    const fault = [...shares].find(([, share]) => {
      left -= share
      return left < 0
    })?.[0]
    // A server may carry out a request and lose its response.
    return { fault, isDone: hash(`${request} ${times} done`) % 2 === 0 }
  }
}

/** Returns the milliseconds until the next request is allowed; 0 counts a request. */
function limiter({ rate }: Faults): (now: number) => number {
  const counted: number[] = []
  return now => {
    if (!rate) return 0
    while (counted[0] !== undefined && counted[0] + rate.withinMs <= now) counted.shift()
    if (counted.length >= rate.count && counted[0] !== undefined) return counted[0] + rate.withinMs - now
    counted.push(now)
    return 0
  }
}
