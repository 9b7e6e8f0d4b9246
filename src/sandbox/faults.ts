import { UsageError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { duration } from '../values/duration.ts'
import { hash } from './hash.ts'

/**
 * Each affects a share of the requests, in the order of the random draws. Handlers make still-there, a deletion that is
 * only answered, and deletion-error, one of many persons that is not deleted and named.
 */
const chances = ['429', '429-bare', '500', 'drop', 'cut', 'still-there', 'deletion-error'] as const
type Chance = (typeof chances)[number]

/** Each affects every request; handlers make unlicensed, 402 for event definitions, and hidden-properties. */
const switches = ['short-pages', 'unlicensed', 'hidden-properties'] as const
type Switch = (typeof switches)[number]

export type SandboxFault = Chance | Switch

interface Faults {
  readonly chances: ReadonlyMap<Chance, number>
  readonly slow: number
  readonly switches: ReadonlySet<Switch>
}

export interface InjectedFault {
  readonly fault: Chance | undefined
  /** The request was executed although its answer is lost. */
  readonly done: boolean
  /** Share of the page that is sent, from 0 to 1; undefined means all. */
  readonly share: number | undefined
  readonly slow: number
  /** All of this request, for its handler. */
  readonly faults: ReadonlySet<SandboxFault>
}

const form = [...chances.map(one => `${one}@5%`), 'slow=300ms', ...switches].join()

/** Reads `429@5%,slow=300ms,short-pages`. Throws `UsageError`. */
export function parseFaults(text: string): Faults {
  const found = new Map<Chance, number>()
  let slow = 0
  const switched = new Set<Switch>()
  for (const part of text.split(',').map(part => part.trim())) {
    const [, name, percent] = /^([\w-]+)@(\d+(?:\.\d+)?)%$/.exec(part) ?? []
    const chance = chances.find(one => one === name)
    const switchName = switches.find(one => one === part)
    if (chance && Number(percent) <= 100) found.set(chance, Number(percent) / 100)
    else if (part.startsWith('slow=')) slow = slowOf(part)
    else if (switchName) switched.add(switchName)
    else throw wrong(part)
  }
  const sum = [...found.values()].reduce((a, b) => a + b, 0)
  if (sum > 1 + 1e-9) throw new UsageError('The shares of the faults come to more than 100%')
  return { chances: found, slow, switches: switched }
}

function slowOf(part: string): number {
  const parsed = duration.parse(part.slice('slow='.length))
  if ('value' in parsed && parsed.value <= 3600_000) return parsed.value
  throw wrong(part)
}

function wrong(part: string): UsageError {
  return new UsageError(`${JSON.stringify(part)} is not a fault`, { hint: `Give any of ${form}` })
}

/** Seed, request and its number decide, so a repeated command gets the same faults. */
export function drawFaults(faults: Faults, seed: number): (request: FaultTarget) => InjectedFault {
  const sent = new Map<number, number>()
  return ({ method, url, body = '' }) => {
    const request = hash(`${seed} ${method} ${url.pathname}${url.search} ${body}`)
    const times = (sent.get(request) ?? 0) + 1
    sent.set(request, times)
    const random = sequence(hash(`${request} ${times}`))
    // Always three draws, so that one fault does not change the next ones.
    const [struck, done, share] = [random(), random(), random()]
    const fault = faultAt(faults.chances, struck)
    const { slow, switches } = faults
    const shown = switches.has('short-pages') ? share : undefined
    return { fault, done: done < 0.5, share: shown, slow, faults: new Set([...switches, ...(fault ? [fault] : [])]) }
  }
}

type FaultTarget = Pick<Request, 'method' | 'url' | 'body'>

function faultAt(chances: Faults['chances'], number: number): Chance | undefined {
  let end = 0
  for (const [fault, chance] of chances) {
    end += chance
    if (number < end) return fault
  }
  return undefined
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
