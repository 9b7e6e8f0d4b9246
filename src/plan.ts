/** A dry run's writes, as data in the place of the result that they would have had. */
import type { Result } from './cli/command.ts'
import type { Request } from './http/message.ts'
import type { Item } from './json/item.ts'

const fields = ['method', 'url', 'body']

/** Bytes in one piece: there may be a hundred thousand writes, and an object for each would weigh more than they do. */
const piece = 64 * 1024

export class Plan {
  /** A line for each write; no line end stands within one, JSON has none. */
  #pieces: Buffer[] = []
  #last = ''

  add({ method, url, body, shownBody = body }: Request): void {
    this.#last += `{"method":${JSON.stringify(method)},"url":${JSON.stringify(url.href)},"body":${shownBody ?? 'null'}}\n`
    if (this.#last.length > piece) this.#close()
  }

  #close(): void {
    if (this.#last !== '') this.#pieces.push(Buffer.from(this.#last))
    this.#last = ''
  }

  /** Undefined where nothing would have been written. */
  result(): Result | undefined {
    this.#close()
    if (this.#pieces.length === 0) return undefined
    return { document: { shape: 'list', batches: this.#batches(), view: { columns: fields, fields, id: 'url' } } }
  }

  *#batches(): Generator<readonly Item[]> {
    for (const lines of this.#pieces) {
      const items: Item[] = []
      for (let from = 0; from < lines.length; ) {
        const to = lines.indexOf('\n', from)
        items.push(lines.subarray(from, to))
        from = to + 1
      }
      yield items
    }
  }
}
