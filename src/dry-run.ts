import type { Request } from './http/message.ts'
import { type Item, readItem } from './json/read-item.ts'
import { rowView } from './output/views.ts'
import type { Result } from './result.ts'

const fields = ['method', 'url', 'body']

/** Writes are kept as bytes: 100,000 objects would take more memory. */
const piece = 64 * 1024

export class DryRunWrites {
  #pieces: Buffer[] = []
  #last = ''
  count = 0

  add({ method, url, body }: Request): void {
    this.count++
    this.#last += `{"method":${JSON.stringify(method)},"url":${JSON.stringify(url.href)},"body":${body ?? 'null'}}\n`
    if (this.#last.length > piece) this.#close()
  }

  #close(): void {
    if (this.#last !== '') this.#pieces.push(Buffer.from(this.#last))
    this.#last = ''
  }

  data(): Result['data'] {
    this.#close()
    return { rows: this.#batches(), isOne: false, view: rowView(fields, 'url') }
  }

  *#batches(): Generator<readonly Item[]> {
    for (const lines of this.#pieces) {
      const items: Item[] = []
      for (let from = 0; from < lines.length; ) {
        const to = lines.indexOf('\n', from)
        items.push(readItem(lines.subarray(from, to)))
        from = to + 1
      }
      yield items
    }
  }
}
