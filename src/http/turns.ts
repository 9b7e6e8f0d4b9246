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
  #free = 0
  #line: Promise<void> = Promise.resolve()
  #isRefused = false
  #refusals = 0
  /** Who goes before the others, and who waits for the end of that. */
  #first: object | undefined
  #waiting: (() => void)[] = []

  constructor(options: TurnsOptions) {
    this.#options = options
    this.#gap = options.interval ?? 0
  }

  async take(caller: object): Promise<void> {
    while (this.#isRefused && this.#first !== caller) {
      if (this.#first) await new Promise<void>(resolve => this.#waiting.push(resolve))
      else this.#first = caller
    }
    if (this.#first === caller || this.#gap === 0) return
    const refusals = this.#refusals
    this.#line = this.#line.then(() => this.#pass(refusals))
    await this.#line
    // After a refusal, turns are given out anew.
    if (refusals !== this.#refusals) await this.take(caller)
  }

  /** One at a time, so that a gap that shrinks counts for all who wait. */
  async #pass(refusals: number): Promise<void> {
    if (refusals !== this.#refusals) return
    const { clock, signal } = this.#options
    const wait = this.#free - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    this.#free = (wait > 0 ? this.#free : clock.elapsed()) + this.#gap
  }

  /** False: another one goes first. */
  refused(caller: object): boolean {
    if (this.#first && this.#first !== caller) return false
    this.#first = caller
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
    } else if (this.#first === caller) {
      this.#free = clock.elapsed() + this.#gap
      this.#isRefused = false
      this.#open()
    }
  }

  leave(caller: object): void {
    if (this.#first === caller) this.#open()
  }

  #open(): void {
    this.#first = undefined
    for (const wake of this.#waiting.splice(0)) wake()
  }
}
