import type { OutcomeError } from './outcome.ts'

/** Equal errors are stored once: a million targets may fail in the same way. */
export class ErrorTable {
  readonly #indexOf: Uint32Array
  readonly #errors: OutcomeError[] = []
  readonly #indexes = new Map<string, number>()

  constructor(total: number) {
    this.#indexOf = new Uint32Array(total)
  }

  /** Call it only for targets with an error. */
  at(target: number): OutcomeError | undefined {
    return this.#errors[this.#indexOf[target] ?? 0]
  }

  set(target: number, error: OutcomeError): void {
    const key = `${error.name} ${error.status} ${error.code}`
    const known = this.#indexes.get(key) ?? this.#errors.push(error) - 1
    this.#indexes.set(key, known)
    this.#indexOf[target] = known
  }
}
