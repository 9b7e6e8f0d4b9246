import { EventEmitter, once } from 'node:events'
import type { Clock } from '../host.ts'

interface GateOptions {
  /** Milliseconds between two requests, if the user limits the rate. */
  readonly interval: number | undefined
  readonly clock: Clock
}

/** Milliseconds between two requests after a first refusal, and at most. */
const firstGap = 250
const longestGap = 2000

/** How the gap shrinks with each response that is no refusal. */
const faster = 0.8

/** Says when a request may go. After a refusal all wait, then one goes alone until it is accepted, and the gap doubles. */
export class RequestGate {
  readonly #options: GateOptions
  #gap: number
  /** Time of the clock at which the next request may go. */
  #nextAt = 0
  /** Ends when the last request in the queue may go. */
  #queue: Promise<void> = Promise.resolve()
  /** From a refusal until the request that goes alone is accepted. */
  #isRefused = false
  #refusals = 0
  /** The request that goes alone. */
  #alone: object | undefined
  /** Emits `open` when it ends. */
  readonly #events = new EventEmitter().setMaxListeners(0)

  constructor(options: GateOptions) {
    this.#options = options
    this.#gap = options.interval ?? 0
  }

  /** Rejects with the reason of the signal. */
  async take(caller: object, signal: AbortSignal): Promise<void> {
    while (this.#isRefused && this.#alone !== caller) {
      signal.throwIfAborted()
      if (this.#alone) await once(this.#events, 'open', { signal }).catch(() => undefined)
      else this.#alone = caller
    }
    if (this.#alone === caller || this.#gap === 0) return
    const refusals = this.#refusals
    const passed = this.#queue.then(() => this.#pass(refusals, signal))
    this.#queue = passed.catch(() => undefined)
    await passed
    // After a refusal all queue anew.
    if (refusals !== this.#refusals) await this.take(caller, signal)
  }

  /** One at a time, so that a gap that shrinks counts for all that wait. */
  async #pass(refusals: number, signal: AbortSignal): Promise<void> {
    if (refusals !== this.#refusals) return
    const { clock } = this.#options
    const wait = this.#nextAt - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    this.#nextAt = (wait > 0 ? this.#nextAt : clock.elapsed()) + this.#gap
  }

  /** False: another request goes first. */
  refused(caller: object): boolean {
    if (this.#alone && this.#alone !== caller) return false
    this.#alone = caller
    this.#isRefused = true
    this.#refusals++
    this.#gap = Math.min(longestGap, Math.max(firstGap, this.#gap * 2))
    return true
  }

  /** Ignores the response to a request that was sent before the refusal. */
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
    this.#events.emit('open')
  }
}
