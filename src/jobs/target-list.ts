/** The ids of a job as one block of bytes, because a million strings would take ten times the memory. */
import { createHash } from 'node:crypto'

export interface Targets {
  readonly length: number
  at(target: number): string | undefined
  [Symbol.iterator](): Iterator<string>
}

export class TargetList implements Targets {
  /** The file of targets: one JSON string per line. */
  readonly bytes: Uint8Array
  readonly length: number
  /** Where each line begins, and where the last one ends. */
  readonly #starts: Uint32Array
  readonly #text: Buffer

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let length = 0
    for (const byte of bytes) if (byte === lineFeed) length++
    this.length = length
    this.#starts = new Uint32Array(length + 1)
    for (let line = 1, from = 0; line <= length; line++) {
      from = bytes.indexOf(lineFeed, from) + 1
      this.#starts[line] = from
    }
  }

  at(target: number): string | undefined {
    if (target < 0 || target >= this.length) return undefined
    return JSON.parse(this.#text.toString('utf8', this.#starts[target], (this.#starts[target + 1] ?? 0) - 1)) as string
  }

  *[Symbol.iterator](): Generator<string> {
    for (let target = 0; target < this.length; target++) yield this.at(target) ?? ''
  }

  get digest(): string {
    return createHash('sha256').update(this.bytes).digest('hex')
  }
}

const lineFeed = 0x0a

export function packTargets(ids: Iterable<string>): TargetList {
  const chunks: Buffer[] = []
  let lines = ''
  for (const id of ids) {
    lines += `${JSON.stringify(id)}\n`
    if (lines.length < 64 * 1024) continue
    chunks.push(Buffer.from(lines))
    lines = ''
  }
  return new TargetList(Buffer.concat([...chunks, Buffer.from(lines)]))
}
