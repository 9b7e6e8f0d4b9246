import type { Clock } from '../host.ts'
import type { Request } from './message.ts'

interface PacerOptions {
  /** Milliseconds between two requests, if the user limits the rate. */
  readonly interval: number | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** While a refused request tries again, all others wait. */
interface Probe {
  readonly caller: object
  readonly began: number
  readonly ended: Promise<void>
  readonly end: () => void
  sent: number
}

/** Milliseconds; the longest interval that is learned. */
const longestLearned = 2000

/** How the interval changes: after a refusal, and after each good answer. It stays where 4 of 100 requests are refused. */
const slower = 1.25
const faster = 0.99

/**
 * Requests get their turns at an even pace; unused turns expire, so that no burst follows idle time. A 429 that names no
 * time teaches the pace: one request tries again, and the rate that was found is kept and raised slowly.
 */
export class Pacer {
  readonly #options: PacerOptions
  #interval: number | undefined
  #free = 0
  #probe: Probe | undefined

  constructor(options: PacerOptions) {
    this.#options = options
    this.#interval = options.interval
  }

  /** Milliseconds between two requests at the rate in force; undefined if nothing limits it. */
  readonly interval = (): number | undefined => this.#interval

  get isFree(): boolean {
    return this.#interval === undefined && this.#probe === undefined
  }

  /** Takes no turn and resolves to false if the turn comes after the time that is left. */
  async turn(caller: object, { left = () => Infinity, afterInterrupt }: Pick<Request, 'left' | 'afterInterrupt'>) {
    const { clock, signal } = this.#options
    for (;;) {
      const probe = this.#probe
      if (probe && probe.caller !== caller) {
        await probe.ended
        if (left() <= 0) return false
        continue
      }
      const now = clock.elapsed()
      if (probe) probe.sent = now
      if (probe || this.#interval === undefined) return true
      const wait = this.#free - now
      if (wait > 0 && wait > left()) return false
      this.#free = Math.max(now, this.#free) + this.#interval
      if (wait > 0) await clock.sleep(wait, afterInterrupt ? undefined : signal)
      // Whoever waited while another request was refused takes a new turn.
      if (!this.#probe) return true
    }
  }

  /** For a 429 that names no time. False: another request tries again already. */
  refused(caller: object): boolean {
    if (this.#probe) return this.#probe.caller === caller
    if (this.#interval !== undefined) {
      this.#interval = Math.max(this.#interval, Math.min(longestLearned, this.#interval * slower))
    }
    let end = () => {}
    const ended = new Promise<void>(resolve => {
      end = resolve
    })
    const now = this.#options.clock.elapsed()
    this.#probe = { caller, began: now, sent: now, ended, end }
    return true
  }

  /** For each good answer. */
  accepted(caller: object): void {
    const least = this.#options.interval ?? 1
    if (this.#probe?.caller === caller) {
      const { began, sent } = this.#probe
      this.#interval ??= Math.min(longestLearned, Math.max(least, sent - began))
      this.#free = Math.max(this.#free, sent + this.#interval)
    } else if (this.#interval !== undefined && !this.#probe) {
      this.#interval = Math.max(least, this.#interval * faster)
    }
  }

  /** The request has ended, well or not: whoever waits for it goes on. */
  leave(caller: object): void {
    if (this.#probe?.caller !== caller) return
    this.#probe.end()
    this.#probe = undefined
  }
}
