/**
 * Adds up the time spent waiting, however many pieces it comes in, and calls `onExpired` once when it passes `budget`
 * (milliseconds). A server that sends a byte now and then runs out of it; a reader that takes its time does not.
 */
export class Stopwatch {
  #left: number
  #since: number | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #onExpired: () => void

  constructor(budget: number, onExpired: () => void) {
    this.#left = budget
    this.#onExpired = onExpired
  }

  /** Waiting begins. */
  start(): void {
    this.#since = performance.now()
    // The timer of an earlier wait still runs: it looks again when it fires, so most waits set none.
    this.#timer ??= setTimeout(() => this.#check(), this.#left)
  }

  /** Waiting is over for now. */
  stop(): void {
    if (this.#since !== undefined) this.#left -= performance.now() - this.#since
    this.#since = undefined
  }

  /** No more waiting to come. */
  end(): void {
    this.stop()
    clearTimeout(this.#timer)
  }

  #check(): void {
    this.#timer = undefined
    const since = this.#since
    if (since === undefined) return
    const rest = this.#left - (performance.now() - since)
    if (rest > 0) {
      this.#timer = setTimeout(() => this.#check(), rest)
      return
    }
    // If we were the ones who were busy, what the server sent meanwhile lies in the socket: let it be read first.
    setImmediate(() => {
      if (this.#since === since) this.#onExpired()
    })
  }
}
