/** How finely waiting is measured: a budget is so many looks at whether somebody waits. */
const looks = 20

/**
 * Adds up the time spent waiting, however many pieces it comes in, and calls `onExpired` when it passes `budget`
 * (milliseconds). A server that sends a byte now and then runs out of it; a reader that takes its time does not.
 * Timers are enough for that, and a clock would have to be loaded, which takes longer than most answers.
 */
export class Stopwatch {
  #left = looks
  #waiting = false
  /** How many waits have begun. */
  #waits = 0
  readonly #timer: NodeJS.Timeout
  readonly #onExpired: () => void

  constructor(budget: number, onExpired: () => void) {
    this.#onExpired = onExpired
    this.#timer = setInterval(() => this.#look(), budget / looks)
  }

  /** Waiting begins. */
  start(): void {
    this.#waiting = true
    this.#waits++
  }

  /** Waiting is over for now. */
  stop(): void {
    this.#waiting = false
  }

  /** No more waiting to come. */
  end(): void {
    this.stop()
    clearInterval(this.#timer)
  }

  #look(): void {
    if (!this.#waiting || --this.#left > 0) return
    const wait = this.#waits
    // If we were the ones who were busy, what the server sent meanwhile lies in the socket: let it be read first.
    setImmediate(() => {
      if (this.#waiting && this.#waits === wait) this.#onExpired()
    })
  }
}
