import type { Item } from '../json/item.ts'

/** Passes outcomes to the printer. The run never waits for it: a paused pager must not leave a deletion half done. */
export class OutcomeQueue implements AsyncIterable<readonly Item[]> {
  #waiting: Item[] = []
  #ended = false
  #wake: () => void = () => undefined

  push(item: Item): void {
    this.#waiting.push(item)
    // Wakes the reader once for all outcomes of one turn, after they are recorded.
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
