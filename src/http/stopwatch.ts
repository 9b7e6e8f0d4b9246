/** A budget is so many looks at whether somebody waits. */
const looks = 20

/** Adds up the time spent waiting for the server. Timers do: loading a clock takes longer than most answers. */
export class Stopwatch {
  #left = looks
  #waiting = false
  #waits = 0
  readonly #timer: NodeJS.Timeout
  readonly #onExpired: () => void

  constructor(budget: number, onExpired: () => void) {
    this.#onExpired = onExpired
    this.#timer = setInterval(() => this.#look(), budget / looks)
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

  #look(): void {
    if (!this.#waiting || --this.#left > 0) return
    const wait = this.#waits
    // What came while we were busy is read first.
    setImmediate(() => {
      if (this.#waiting && this.#waits === wait) this.#onExpired()
    })
  }
}
