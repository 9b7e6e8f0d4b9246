/** Keeps the first of ids that differ only in case, because a UUID may be written in both. */
export class TargetCollector {
  readonly #ids: string[] = []
  readonly #keys = new Set<string>()

  get size(): number {
    return this.#ids.length
  }

  add(id: string): void {
    const key = id.toLowerCase()
    if (this.#keys.has(key)) return
    this.#keys.add(key)
    this.#ids.push(id)
  }

  list(): readonly string[] {
    return this.#ids
  }
}
