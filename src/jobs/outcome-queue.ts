/**
 * Outcomes on their way to whoever prints them. The run never waits for its reader: a pager that stands still, or a
 * closed pipe, must not leave a deletion half done.
 */
export class OutcomeQueue<T> implements AsyncIterable<readonly T[]> {
  #waiting: T[] = []
  #ended = false
  #wake: () => void = () => undefined

  push(item: T): void {
    this.#waiting.push(item)
    // Once for all that come in one turn, and behind what was to be recorded in it.
    if (this.#waiting.length === 1) setImmediate(() => this.#wake())
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  /** Everything that has come since the last batch. */
  async *[Symbol.asyncIterator](): AsyncGenerator<readonly T[]> {
    for (;;) {
      const batch = this.#waiting
      this.#waiting = []
      if (batch.length > 0) yield batch
      else if (this.#ended) return
      else await new Promise<void>(resolve => (this.#wake = resolve))
    }
  }
}
