import type { Clock } from '../host.ts'

interface TurnsOptions {
  /** Milliseconds between two requests, if the user limits the rate. */
  readonly interval: number | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Milliseconds between two requests after a first refusal, and at most. */
const firstGap = 250
const longestGap = 2000

/** How the gap shrinks with each answer that is no refusal. */
const faster = 0.8

/** When a request may go. After a refusal all wait, then one goes alone until it is accepted, and the gap is twice as long. */
export class Turns {
  readonly #options: TurnsOptions
  #gap: number
  /** On the clock: when the next request may go. */
  #nextAt = 0
  /** Ends when the last one who queued has its turn. */
  #queue: Promise<void> = Promise.resolve()
  /** Since a refusal, until the one who goes alone is accepted. */
  #isRefused = false
  #refusals = 0
  /** Who goes alone, and who waits for the end of that. */
  #alone: object | undefined
  #waiting: (() => void)[] = []

  constructor(options: TurnsOptions) {
    this.#options = options
    this.#gap = options.interval ?? 0
  }

  async take(caller: object): Promise<void> {
    while (this.#isRefused && this.#alone !== caller) {
      if (this.#alone) await new Promise<void>(resolve => this.#waiting.push(resolve))
      else this.#alone = caller
    }
    if (this.#alone === caller || this.#gap === 0) return
    const refusals = this.#refusals
    this.#queue = this.#queue.then(() => this.#pass(refusals))
    await this.#queue
    // After a refusal, turns are given out anew.
    if (refusals !== this.#refusals) await this.take(caller)
  }

  /** One at a time, so that a gap that shrinks counts for all who wait. */
  async #pass(refusals: number): Promise<void> {
    if (refusals !== this.#refusals) return
    const { clock, signal } = this.#options
    const wait = this.#nextAt - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    this.#nextAt = (wait > 0 ? this.#nextAt : clock.elapsed()) + this.#gap
  }

  /** False: another one goes first. */
  refused(caller: object): boolean {
    if (this.#alone && this.#alone !== caller) return false
    this.#alone = caller
    this.#isRefused = true
    this.#refusals++
    this.#gap = Math.min(longestGap, Math.max(firstGap, this.#gap * 2))
    return true
  }

  /** Of a request that was under way at a refusal, the answer tells nothing. */
  accepted(caller: object): void {
    const { interval = 0, clock } = this.#options
    if (!this.#isRefused) {
      this.#gap = this.#gap < 1 ? interval : Math.max(interval, this.#gap * faster)
    } else if (this.#alone === caller) {
      this.#nextAt = clock.elapsed() + this.#gap
      this.#isRefused = false
      this.#open()
    }
  }

  leave(caller: object): void {
    if (this.#alone === caller) this.#open()
  }

  #open(): void {
    this.#alone = undefined
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
