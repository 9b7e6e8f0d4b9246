/** Calls of `check` within the timeout. */
export const ticks = 20

/** Counts timer calls while waiting, since loading a clock takes longer than most answers. */
export class Stopwatch {
  // One extra check: the first period is already running.
  #left = ticks + 1
  #waiting = false
  #waits = 0

  restart(): void {
    this.#left = ticks + 1
    this.start()
  }

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
