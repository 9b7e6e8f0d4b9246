import { EventEmitter, once } from 'node:events'
import type { Clock } from '../host.ts'

const firstGapMs = 250
const longestGapMs = 2000

const gapFactor = 0.8

/** Paces requests. After a refusal all wait, the gap doubles, and one request is sent alone until it is accepted. */
export class RequestGate {
  readonly #clock: Clock
  readonly #intervalMs: number
  #gapMs: number
  /** Clock time at which the next request may be sent. */
  #nextAt = 0
  /** Resolves when the last request in the queue may be sent. */
  #queue: Promise<void> = Promise.resolve()
  /** From a refusal until the request that is sent alone is accepted. */
  #isRefused = false
  #refusals = 0
  #alone: object | undefined
  readonly #events = new EventEmitter().setMaxListeners(0)

  constructor(clock: Clock, intervalMs = 0) {
    this.#clock = clock
    this.#intervalMs = intervalMs
    this.#gapMs = intervalMs
  }

  /** Rejects with the reason of the signal. */
  async take(caller: object, signal: AbortSignal): Promise<void> {
    while (this.#isRefused && this.#alone !== caller) {
      signal.throwIfAborted()
      if (this.#alone) await once(this.#events, 'open', { signal }).catch(() => undefined)
      else this.#alone = caller
    }
    if (this.#alone === caller || this.#gapMs === 0) return
    const refusals = this.#refusals
    const passed = this.#queue.then(() => this.#pass(refusals, signal))
    this.#queue = passed.catch(() => undefined)
    await passed
    // After a refusal every request joins the queue again.
    if (refusals !== this.#refusals) await this.take(caller, signal)
  }

  /** One at a time, so that a smaller gap applies to all waiting requests. */
  async #pass(refusals: number, signal: AbortSignal): Promise<void> {
    if (refusals !== this.#refusals) return
    const wait = this.#nextAt - this.#clock.elapsed()
    if (wait > 0) await this.#clock.sleep(wait, signal)
    this.#nextAt = (wait > 0 ? this.#nextAt : this.#clock.elapsed()) + this.#gapMs
  }

  /** Returns false if another request is sent first. */
  refused(caller: object): boolean {
    if (this.#alone && this.#alone !== caller) return false
    this.#alone = caller
    this.#isRefused = true
    this.#refusals++
    this.#gapMs = Math.min(longestGapMs, Math.max(firstGapMs, this.#gapMs * 2))
    return true
  }

  /** Ignores the response to a request that was sent before the refusal. */
  accepted(caller: object): void {
    if (!this.#isRefused) {
      this.#gapMs = this.#gapMs < 1 ? this.#intervalMs : Math.max(this.#intervalMs, this.#gapMs * gapFactor)
    } else if (this.#alone === caller) {
      this.#nextAt = this.#clock.elapsed() + this.#gapMs
      this.#isRefused = false
      this.#open()
    }
  }

  leave(caller: object): void {
    if (this.#alone === caller) this.#open()
  }

  #open(): void {
    this.#alone = undefined
    this.#events.emit('open')
  }
}
