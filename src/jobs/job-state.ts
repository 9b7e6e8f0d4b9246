import type { BackupFile } from './backup.ts'
import { ErrorTable } from './error-table.ts'
import type { Counts, JournalEntry } from './journal/entry.ts'
import { codes, type Evidence, evidences, isFinal, type Outcome, type Status, statuses } from './outcome.ts'

export type RecordedOutcome = Outcome & { readonly at: number }

/** Bits of a target: three bits for 1 + the index in `statuses`, two for the evidence, and one for each fact. */
const statusBits = 0b111
const evidenceMask = 0b1_1000
const openBit = 0b10_0000
/** See `isSettled`. */
const settledBit = 0b100_0000
const acceptedBit = 0b1000_0000
/** This process has started it, and its outcome is not written yet. */
const begunBit = 0b1_0000_0000

const evidenceBits = { answered: 0, accepted: 0b1000, inferred: 0b1_0000 } as const satisfies Record<Evidence, number>

export class JobState {
  readonly total: number
  readonly #bits: Uint16Array
  readonly #times: Float64Array
  readonly #errors: ErrorTable
  /** When the service accepted a part of the request; only for unfinished targets. */
  readonly #partAcceptedAt = new Map<number, number>()
  readonly #counts: Record<Status | 'left', number>
  readonly #backups: BackupFile[] = []
  #canary = false
  #maySend = 0
  #closed = false

  constructor(total: number) {
    this.total = total
    this.#bits = new Uint16Array(total)
    this.#times = new Float64Array(total)
    this.#errors = new ErrorTable(total)
    this.#counts = { deleted: 0, updated: 0, gone: 0, failed: 0, left: total }
  }

  /** Throws `RangeError` for an unknown entry or target. */
  apply(entry: JournalEntry): void {
    this.#closed = entry[0] === 'closed'
    switch (entry[0]) {
      case 'closed':
        return
      case 'canary':
        this.#canary = true
        return
      case 'backup':
        this.#backups.push(entry[1])
        return
      case 'saved':
        this.#checked(entry[1])
        return
      case 'accepted':
        this.#partAcceptedAt.set(this.#checked(entry[1]), entry[2])
        return
      case 'may-send':
        this.#maySend = Math.max(this.#maySend, this.#checked(entry[1] - 1) + 1)
        return
      case 'sent':
        this.#bits[this.#checked(entry[1])] = this.#bitsOf(entry[1]) | openBit | settledBit
        return
      case 'unsent':
      case 'missing':
        this.#bits[this.#checked(entry[1])] =
          (this.#bitsOf(entry[1]) & ~(openBit | begunBit)) | settledBit | (entry[2] ? openBit : 0)
        return
      case 'failed': {
        const [status, target, error, unanswered, at] = entry
        this.#end(target, status, unanswered ? openBit : 0, at)
        this.#errors.set(target, error)
        return
      }
      default: {
        const [status, target, evidence, at, isAccepted] = entry
        if (!evidences.includes(evidence)) throw new RangeError('No such evidence')
        this.#end(target, status, evidenceBits[evidence] | (isAccepted ? acceptedBit : 0), at)
        this.#partAcceptedAt.delete(target)
      }
    }
  }

  #end(target: number, status: Status, facts: number, at: number): void {
    this.#checked(target)
    const index = statuses.indexOf(status)
    if (index < 0) throw new RangeError('No such status')
    this.#counts[this.#statusOf(target) ?? 'left']--
    this.#counts[status]++
    this.#bits[target] = (index + 1) | facts | settledBit
    this.#times[target] = at
  }

  /** A bit, because V8 keeps old tables of a `Set` until a full garbage collection. */
  begin(target: number): void {
    this.#bits[target] = this.#bitsOf(this.#checked(target)) | begunBit
  }

  *underWay(): Generator<number> {
    for (let target = 0; target < this.total; target++) if (this.#bitsOf(target) & begunBit) yield target
  }

  /** If the generation has no valid end, announced targets that were left and have no entry may have been sent. */
  endGeneration(isWhole: boolean): void {
    const uncertain = this.#closed && isWhole ? 0 : this.#maySend
    for (let target = 0; target < this.total; target++) {
      const bits = this.#bitsOf(target)
      // Before a failed target is tried again, it gets an entry of its own.
      const isLost = target < uncertain && !(bits & settledBit) && this.#statusOf(target) === undefined
      this.#bits[target] = (bits & ~settledBit) | (isLost ? openBit : 0)
    }
    this.#maySend = 0
    this.#closed = false
  }

  outcomeOf(target: number): RecordedOutcome | undefined {
    const status = this.#statusOf(target)
    if (status === undefined) return undefined
    const at = this.#times[target] ?? 0
    if (status !== 'failed') return { status, evidence: evidenceOf(this.#bitsOf(target)), at }
    const error = this.#errors.at(target)
    return error && { status, error, unanswered: this.isOpen(target), at }
  }

  /** A generator, because there may be a million. */
  *outcomesOf(targets: Iterable<string>): Generator<readonly [id: string, outcome: RecordedOutcome | undefined]> {
    let target = 0
    for (const id of targets) yield [id, this.outcomeOf(target++)]
  }

  /** When the service accepted the target, or a part of it; it may apply the change later. */
  acceptedAt(target: number): number | undefined {
    return this.#bitsOf(target) & acceptedBit ? this.#times[target] : this.#partAcceptedAt.get(target)
  }

  /** Time of the last outcome; 0 without one. */
  get lastAt(): number {
    return this.#times.reduce((last, at) => Math.max(last, at), 0)
  }

  /** The current generation of the journal has an entry of what became of it. */
  isSettled(target: number): boolean {
    return (this.#bitsOf(target) & settledBit) !== 0
  }

  isOpen(target: number): boolean {
    return (this.#bitsOf(target) & (openBit | begunBit)) !== 0
  }

  /** Number of unfinished targets that were sent without an answer, so may be done. */
  get unanswered(): number {
    let count = 0
    for (let target = 0; target < this.total; target++) {
      if (this.isOpen(target) && this.#statusOf(target) === undefined) count++
    }
    return count
  }

  get mayHaveSent(): boolean {
    return this.#bits.some(bits => (bits & (openBit | begunBit)) !== 0)
  }

  get counts(): Counts {
    return this.#counts
  }

  get backups(): readonly BackupFile[] {
    return this.#backups
  }

  get canaryPassed(): boolean {
    return this.#canary
  }

  /**
   * First those that were said to be deleted and were still there, which tell whether the service deletes at all; then
   * those without an outcome; then those that failed, so that these hold up no other.
   */
  *remaining(): Generator<number> {
    const first: number[] = []
    const last: number[] = []
    for (let target = 0; target < this.total; target++) {
      if (this.#statusOf(target) === undefined || !this.#isLeft(target)) continue
      if (this.#errors.at(target)?.code === codes.stillThere) first.push(target)
      else last.push(target)
    }
    yield* first
    for (let target = 0; target < this.total; target++) if (this.#statusOf(target) === undefined) yield target
    yield* last
  }

  countRemaining(): number {
    let count = 0
    for (let target = 0; target < this.total; target++) if (this.#isLeft(target)) count++
    return count
  }

  get isFinished(): boolean {
    for (let target = 0; target < this.total; target++) if (this.#isLeft(target)) return false
    return true
  }

  isFinal(target: number): boolean {
    const error = this.#statusOf(target) === 'failed' ? this.#errors.at(target) : undefined
    return error !== undefined && isFinal(error)
  }

  /** Only targets that are left can have lost their outcome at the end of a generation. */
  #isLeft(target: number): boolean {
    const status = this.#statusOf(target)
    return status === undefined || (status === 'failed' && !this.isFinal(target))
  }

  #statusOf(target: number): Status | undefined {
    return statuses[(this.#bitsOf(target) & statusBits) - 1]
  }

  #bitsOf(target: number): number {
    return this.#bits[target] ?? 0
  }

  #checked(target: number): number {
    if (Number.isInteger(target) && target >= 0 && target < this.total) return target
    throw new RangeError('No such target')
  }
}

function evidenceOf(bits: number): Evidence {
  return evidences.find(evidence => evidenceBits[evidence] === (bits & evidenceMask)) ?? 'answered'
}

export function runStateOf({ counts }: Pick<JobState, 'counts'>): 'done' | 'failed' | 'interrupted' {
  if (counts.left > 0) return 'interrupted'
  return counts.failed > 0 ? 'failed' : 'done'
}

export function doneIn({ deleted, updated, gone }: Counts): number {
  return deleted + updated + gone
}
