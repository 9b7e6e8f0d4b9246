/** How each target of a run stands, built up entry by entry: what the journal says, whether just written or read again. */
import { type Outcome, type OutcomeError, type Status, statuses } from './outcome.ts'

/**
 * - `sent`: about to be sent. `unsent`: it surely was not, or was turned away.
 * - a status: how it ended; the last one counts. `true` behind a failure: the service may have done it all the same.
 * - `canary`: the first targets were looked at again, and are gone.
 * - `closed`: whoever worked on it has let go, with so many of each. What comes behind it is a later run's.
 */
export type Entry =
  | readonly ['sent' | 'unsent', number]
  | readonly ['deleted' | 'updated' | 'gone', number]
  | readonly ['failed', number, OutcomeError, boolean]
  | readonly ['canary']
  | readonly ['closed', Counts]

export type Counts = Readonly<Record<Status | 'left', number>>

export class JobState {
  readonly total: number
  /** For each target 0, or 1 + the place of its status in `statuses`. */
  readonly #ended: Uint8Array
  /** For each target whether it was sent and no answer is recorded. */
  readonly #open: Uint8Array
  readonly #faults = new Map<number, OutcomeError>()
  readonly #counts: Record<Status | 'left', number>
  #canary = false

  constructor(total: number) {
    this.total = total
    this.#ended = new Uint8Array(total)
    this.#open = new Uint8Array(total)
    this.#counts = { deleted: 0, updated: 0, gone: 0, failed: 0, left: total }
  }

  /** Takes an entry over. Throws `RangeError` for one that speaks of a target that there is not. */
  apply(entry: Entry): void {
    if (entry[0] === 'canary') {
      this.#canary = true
      return
    }
    if (entry[0] === 'closed') return
    const [what, target] = entry
    if (!(Number.isInteger(target) && target >= 0 && target < this.total)) throw new RangeError('No such target')
    if (what === 'sent' || what === 'unsent') this.#open[target] = what === 'sent' ? 1 : 0
    else this.#end(target, what, entry[2], entry[3] ?? false)
  }

  #end(target: number, status: Status, fault: OutcomeError | undefined, unanswered: boolean): void {
    const place = statuses.indexOf(status)
    if (place < 0) throw new RangeError('No such status')
    this.#counts[this.#statusOf(target) ?? 'left']--
    this.#counts[status]++
    this.#ended[target] = place + 1
    this.#open[target] = unanswered ? 1 : 0
    if (fault) this.#faults.set(target, fault)
    else this.#faults.delete(target)
  }

  #statusOf(target: number): Status | undefined {
    return statuses[(this.#ended[target] ?? 0) - 1]
  }

  /** Undefined while there is none. */
  outcomeOf(target: number): Outcome | undefined {
    const status = this.#statusOf(target)
    const fault = this.#faults.get(target)
    if (status === undefined || status === 'failed') return fault && { status: 'failed', fault }
    return { status }
  }

  /** Whether it was sent and never answered, so that it may be done. */
  isOpen(target: number): boolean {
    return this.#open[target] === 1
  }

  get counts(): Counts {
    return this.#counts
  }

  get canaryPassed(): boolean {
    return this.#canary
  }

  /** What is still to be worked on, in order: targets without an outcome, and those that failed. */
  *remaining(): Generator<number> {
    for (let target = 0; target < this.total; target++) {
      const status = this.#statusOf(target)
      if (status === undefined || status === 'failed') yield target
    }
  }
}

/** How a run stands that nobody works on: all good, all ended, or not yet. */
export function runStateOf({ counts }: Pick<JobState, 'counts'>): 'done' | 'failed' | 'interrupted' {
  if (counts.left > 0) return 'interrupted'
  return counts.failed > 0 ? 'failed' : 'done'
}

/** Every target with a good outcome. */
export function doneIn({ deleted, updated, gone }: Counts): number {
  return deleted + updated + gone
}
