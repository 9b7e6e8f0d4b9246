export type Range = readonly [from: number, to: number]

/** Finds thousands of needles in one pass; all are strings of bytes. A needle added twice must be removed twice. */
export class NeedleIndex {
  /** The key is made of the first two bytes. */
  readonly #needles = new Map<number, string[]>()

  /** Needles of fewer than two bytes are ignored. */
  add(needle: string): void {
    if (needle.length < 2) return
    const pair = pairAt(needle, 0)
    const same = this.#needles.get(pair)
    if (same) same.push(needle)
    else this.#needles.set(pair, [needle])
  }

  remove(needle: string): void {
    const same = this.#needles.get(pairAt(needle, 0)) ?? []
    const place = same.indexOf(needle)
    if (place >= 0) same.splice(place, 1)
  }

  /** `isShortened` decides whether a beginning of a needle counts too. */
  placesIn(text: string, isShortened: (needle: string, from: number, end: number) => boolean): Range[] {
    const places: Range[] = []
    for (let at = 0; at + 1 < text.length; at++) {
      for (const needle of this.#needles.get(pairAt(text, at)) ?? []) {
        const end = commonEnd(text, at, needle)
        if (end - at === needle.length || isShortened(needle, at, end)) places.push([at, end])
      }
    }
    return places
  }
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * 256 + text.charCodeAt(at + 1)
}

function commonEnd(text: string, from: number, needle: string): number {
  let length = 2
  while (length < needle.length && text.charCodeAt(from + length) === needle.charCodeAt(length)) length++
  return from + length
}
