/** Writes outcomes to the journal while the run goes on, and shows each of them once it is written. */
import type { Entry } from '../job-state.ts'
import type { Outcome } from '../outcome.ts'
import type { Journal } from './journal.ts'

export type ShowOutcome = (id: string, outcome: Outcome) => void

type Recorded = readonly [id: string, outcome: Outcome]

export class OutcomeRecorder {
  readonly #journal: Pick<Journal, 'write'>
  readonly #show: ShowOutcome
  /** Those that the journal writes together. */
  #group: Recorded[] = []
  #writing: Promise<void> | undefined
  #shown: Promise<void> = Promise.resolve()
  #failure: { readonly by: unknown } | undefined

  constructor(journal: Pick<Journal, 'write'>, show: ShowOutcome) {
    this.#journal = journal
    this.#show = show
  }

  record(id: string, outcome: Outcome, entry: Entry): void {
    const writing = this.#journal.write(entry)
    if (writing !== this.#writing) this.#beginGroup(writing)
    this.#group.push([id, outcome])
  }

  #beginGroup(writing: Promise<void>): void {
    const group: Recorded[] = []
    const show = () => {
      for (const [id, outcome] of group) this.#show(id, outcome)
    }
    this.#writing = writing
    this.#group = group
    this.#shown = writing.then(show).catch((by: unknown) => {
      this.#failure ??= { by }
    })
  }

  /** Throws what the journal threw: nothing more may be sent then. */
  refuseFailed(): void {
    if (this.#failure) throw this.#failure.by
  }

  /** Resolves when all are shown, or cannot be written. */
  end(): Promise<void> {
    return this.#shown
  }
}
