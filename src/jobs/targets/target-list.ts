/** The ids of a job are one block of bytes, because a million strings would take ten times the memory. */
import { digestOfBytes } from '../../files/digest.ts'
import { textOf } from '../../json/pick.ts'

export interface Targets {
  readonly length: number
  at(target: number): string | undefined
  [Symbol.iterator](): Iterator<string>
}

export class TargetList implements Targets {
  readonly bytes: Uint8Array
  readonly length: number
  /** Offset of every sixteenth line. */
  readonly #starts: Uint32Array
  readonly #text: Buffer

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const starts: number[] = []
    let lines = 0
    for (let from = 0, end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, from)) {
      if (lines % stride === 0) starts.push(from)
      lines++
      from = end + 1
    }
    this.length = lines
    this.#starts = Uint32Array.from(starts)
  }

  at(target: number): string | undefined {
    if (target < 0 || target >= this.length) return undefined
    let from = this.#starts[Math.floor(target / stride)] ?? 0
    for (let line = target % stride; line > 0; line--) from = this.bytes.indexOf(lineFeed, from) + 1
    // Not JSON.parse, whose short strings V8 keeps in its table of strings for a long time.
    return textOf(this.#text.subarray(from, this.bytes.indexOf(lineFeed, from)))
  }

  *[Symbol.iterator](): Generator<string> {
    for (let target = 0; target < this.length; target++) yield this.at(target) ?? ''
  }

  get digest(): string {
    return digestOfBytes(this.bytes)
  }
}

const lineFeed = 0x0a
const stride = 16

export function packTargets(ids: Targets): TargetList {
  if (ids instanceof TargetList) return ids
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
