import { refuseUnreadable } from '../../json/layout.ts'
import { Malformed } from '../../json/malformed.ts'

/** Tells whether JSON is whole that ends where the server closes the connection: without a length nothing else does. */
export class ClosedJson {
  readonly #chunks: Uint8Array[] = []

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
  }

  get isCut(): boolean {
    const text = Buffer.concat(this.#chunks).toString()
    try {
      if (/^\s*[{[]/.test(text)) refuseUnreadable(text)
      return false
    } catch (error) {
      if (error instanceof Malformed) return error.reason === 'cut short'
      throw error
    }
  }
}
