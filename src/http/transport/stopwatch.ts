/** How often in the time that is allowed `check` is to be called. */
export const checks = 20

/** Measures time spent waiting for the server with timers, since loading a clock takes longer than most answers. */
export class Stopwatch {
  // One more than fit, because the first period has begun already.
  #left = checks + 1
  #waiting = false
  #waits = 0

  start(): void {
    this.#waiting = true
    this.#waits++
  }

  stop(): void {
    this.#waiting = false
  }

  check(onExpired: () => void): void {
    if (!this.#waiting || --this.#left > 0) return
    const wait = this.#waits
    // Data that arrived while we were busy is read first.
    setImmediate(() => {
      if (this.#waiting && this.#waits === wait) onExpired()
    })
  }
}
