const checks = 20

/** Measures time spent waiting for the server with timers, since loading a clock takes longer than most answers. */
export class Stopwatch {
  #left = checks
  #waiting = false
  #waits = 0
  readonly #timer: NodeJS.Timeout
  readonly #onExpired: () => void

  constructor(budget: number, onExpired: () => void) {
    this.#onExpired = onExpired
    this.#timer = setInterval(() => this.#check(), budget / checks)
  }

  start(): void {
    this.#waiting = true
    this.#waits++
  }

  stop(): void {
    this.#waiting = false
  }

  end(): void {
    this.stop()
    clearInterval(this.#timer)
  }

  #check(): void {
    if (!this.#waiting || --this.#left > 0) return
    const wait = this.#waits
    // Data that arrived while we were busy is read first.
    setImmediate(() => {
      if (this.#waiting && this.#waits === wait) this.#onExpired()
    })
  }
}
