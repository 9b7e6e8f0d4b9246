/** Collects distinct ids as the bytes of a target list: a set of strings would take ten times the memory. */
import { TargetList } from './target-list.ts'

export class TargetCollector {
  #bytes = Buffer.allocUnsafeSlow(4096)
  #end = 0
  #size = 0
  /** Hash table of 1 + the offset of an id's line; 0 is a free place. At most half of it is used. */
  #starts = new Uint32Array(1024)

  get size(): number {
    return this.#size
  }

  /** Ignores case, because a UUID may be written in both. */
  add(id: string): void {
    const start = this.#end
    this.#append(`${JSON.stringify(id)}\n`)
    const place = this.#placeOf(start)
    if (this.#starts[place] !== 0) {
      this.#end = start
      return
    }
    this.#starts[place] = start + 1
    this.#size++
    if (this.#size * 2 > this.#starts.length) this.#widen()
  }

  /** The list takes over the memory, so the collector must not be used afterwards. */
  list(): TargetList {
    return new TargetList(this.#bytes.subarray(0, this.#end))
  }

  #append(line: string): void {
    const most = line.length * 3
    if (this.#end + most > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(this.#bytes.length * 2 + most)
      this.#bytes.copy(larger, 0, 0, this.#end)
      this.#bytes = larger
    }
    this.#end += this.#bytes.write(line, this.#end)
  }

  #widen(): void {
    const before = this.#starts
    this.#starts = new Uint32Array(before.length * 2)
    for (const start of before) if (start !== 0) this.#starts[this.#placeOf(start - 1)] = start
  }

  #placeOf(start: number): number {
    const last = this.#starts.length - 1
    let place = this.#hash(start) & last
    for (;;) {
      const found = this.#starts[place] ?? 0
      if (found === 0 || this.#isSame(found - 1, start)) return place
      place = (place + 1) & last
    }
  }

  /** FNV-1a; its high bits are mixed into the low ones, which choose the place. */
  #hash(start: number): number {
    let hash = 0x811c9dc5
    for (let at = start; ; at++) {
      const byte = this.#folded(at)
      if (byte === lineFeed) return hash ^ (hash >>> 15)
      hash = Math.imul(hash ^ byte, 0x01000193)
    }
  }

  #isSame(one: number, other: number): boolean {
    for (let i = 0; ; i++) {
      const byte = this.#folded(one + i)
      if (byte !== this.#folded(other + i)) return false
      if (byte === lineFeed) return true
    }
  }

  #folded(at: number): number {
    const byte = this.#bytes[at] ?? lineFeed
    return byte >= capitalA && byte <= capitalZ ? byte + 0x20 : byte
  }
}

const lineFeed = 0x0a
const capitalA = 0x41
const capitalZ = 0x5a
