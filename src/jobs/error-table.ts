import type { OutcomeError } from './outcome.ts'

/** The errors of failed targets. Equal ones are kept once: a million targets may fail in the same way. */
export class ErrorTable {
  readonly #indexOf: Uint32Array
  readonly #errors: OutcomeError[] = []
  readonly #indexes = new Map<string, number>()

  constructor(total: number) {
    this.#indexOf = new Uint32Array(total)
  }

  /** Only for a target whose error was set. */
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
