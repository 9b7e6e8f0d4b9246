import { Malformed } from '../../json/item.ts'
import { JsonValidator } from '../../json/json-validator.ts'

/** Tells whether JSON is whole that ends where the server closes the connection: without a length nothing else does. */
export class ClosedJson {
  readonly #validator = new JsonValidator()
  #state: 'blank' | 'begun' | 'whole' | 'other' = 'blank'

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const start = this.#state === 'blank' ? bytes.findIndex(byte => !blank.has(byte)) : 0
    if (start < 0) return
    if (this.#state === 'blank') this.#state = '{['.includes(String.fromCharCode(bytes[start] ?? 0)) ? 'begun' : 'other'
    if (this.#state !== 'begun') return
    try {
      if (this.#validator.pass(bytes, start) >= 0) this.#state = 'whole'
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.#state = 'other'
    }
  }

  get isCut(): boolean {
    return this.#state === 'begun'
  }
}

/** White space, and the byte order mark. */
const blank: ReadonlySet<number> = new Set([...Buffer.from(' \t\r\n\ufeff')])
