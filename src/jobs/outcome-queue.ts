import type { Item } from '../json/read-item.ts'

/** The run never waits for the printer: a paused pager must not stop a deletion halfway. */
export class OutcomeQueue implements AsyncIterable<readonly Item[]> {
  #waiting: Item[] = []
  #ended = false
  #wake: () => void = () => undefined

  push(item: Item): void {
    this.#waiting.push(item)
    // Wakes the reader once per turn, after all outcomes are recorded.
    if (this.#waiting.length === 1) setImmediate(() => this.#wake())
  }

  end(): void {
    this.#ended = true
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Item[]> {
    for (;;) {
      const batch = this.#waiting
      this.#waiting = []
      if (batch.length > 0) yield batch
      else if (this.#ended) return
      else await new Promise<void>(resolve => (this.#wake = resolve))
    }
  }
}
