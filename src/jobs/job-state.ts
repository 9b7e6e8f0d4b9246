import type { BackupFile } from './backup.ts'
import type { Counts, JournalEntry } from './journal/entry.ts'
import { codes, evidences, type Outcome, type OutcomeError, type Status, statuses } from './outcome.ts'

export type RecordedOutcome = Outcome & { readonly at: number }

/** What the journal keeps of an outcome. */
type Kept = Pick<Exclude<Outcome, { status: 'failed' }>, 'status' | 'evidence'> | KeptFailure

interface KeptFailure {
  readonly status: 'failed'
  readonly error: OutcomeError
}

/** What a journal says of its targets. There may be a million, so each fact is an array of numbers, and 1 says yes. */
export class JobState {
  readonly total: number
  /** A place in `#kept`, or 0 without an outcome. */
  readonly #outcomes: Uint32Array
  readonly #times: Float64Array
  /** The service accepted the target at the time of its outcome, and may apply it later. */
  readonly #accepted: Uint8Array
  /** When the service accepted a part of the request; only for unfinished targets. */
  readonly #partAcceptedAt = new Map<number, number>()
  /** It was sent, and no certain answer came. */
  readonly #maybeDone: Uint8Array
  /** This process has started it, and its outcome is not written yet. */
  readonly #begun: Uint8Array
  readonly #settled: Uint8Array
  /** Equal outcomes are stored once: a million targets may fail in the same way. */
  readonly #kept: (Kept | undefined)[] = [undefined]
  readonly #places = new Map<string, number>()
  readonly #counts: Record<Status | 'left', number>
  readonly #backups: BackupFile[] = []
  #canary = false
  #maySend = 0
  #closed = false

  constructor(total: number) {
    this.total = total
    this.#outcomes = new Uint32Array(total)
    this.#times = new Float64Array(total)
    this.#accepted = new Uint8Array(total)
    this.#maybeDone = new Uint8Array(total)
    this.#begun = new Uint8Array(total)
    this.#settled = new Uint8Array(total)
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
        this.#maybeDone[this.#checked(entry[1])] = 1
        this.#settled[entry[1]] = 1
        return
      case 'unsent':
      case 'missing':
        this.#settle(entry[1], entry[2] ?? false)
        return
      case 'failed': {
        const [status, target, { name, status: answered, code }, maybeDone, at] = entry
        this.#settle(target, maybeDone)
        this.#end(
          target,
          JSON.stringify([name, answered, code]),
          { status, error: { name, status: answered, code } },
          at,
        )
        return
      }
      default: {
        const [status, target, evidence, at, isAccepted] = entry
        if (!evidences.includes(evidence) || !statuses.includes(status)) throw new RangeError('No such outcome')
        this.#settle(target, false)
        this.#end(target, `${status} ${evidence}`, { status, evidence }, at)
        this.#accepted[target] = Number(isAccepted ?? false)
        this.#partAcceptedAt.delete(target)
      }
    }
  }

  #settle(target: number, maybeDone: boolean): void {
    this.#maybeDone[this.#checked(target)] = Number(maybeDone)
    this.#begun[target] = 0
    this.#settled[target] = 1
  }

  #end(target: number, key: string, outcome: Kept, at: number): void {
    const place = this.#places.get(key) ?? this.#kept.push(outcome) - 1
    this.#places.set(key, place)
    this.#counts[this.#keptOf(target)?.status ?? 'left']--
    this.#counts[outcome.status]++
    this.#outcomes[target] = place
    this.#times[target] = at
  }

  #keptOf(target: number): Kept | undefined {
    return this.#kept[this.#outcomes[target] ?? 0]
  }

  begin(target: number): void {
    this.#begun[this.#checked(target)] = 1
  }

  *underWay(): Generator<number> {
    for (let target = 0; target < this.total; target++) if (this.#begun[target]) yield target
  }

  /** If the generation has no valid end, announced targets that were left and have no entry may have been sent. */
  endGeneration(isWhole: boolean): void {
    const uncertain = this.#closed && isWhole ? 0 : this.#maySend
    for (let target = 0; target < uncertain; target++) {
      // Before a failed target is tried again, it gets an entry of its own.
      if (!this.#settled[target] && !this.#outcomes[target]) this.#maybeDone[target] = 1
    }
    this.#settled.fill(0)
    this.#maySend = 0
    this.#closed = false
  }

  outcomeOf(target: number): RecordedOutcome | undefined {
    const outcome = this.#keptOf(target)
    const at = this.#times[target] ?? 0
    if (outcome?.status !== 'failed') return outcome && { status: outcome.status, evidence: outcome.evidence, at }
    return { status: outcome.status, error: outcome.error, maybeDone: this.maybeDone(target), at }
  }

  /** A generator, because there may be a million. */
  *outcomesOf(targets: Iterable<string>): Generator<readonly [id: string, outcome: RecordedOutcome | undefined]> {
    let target = 0
    for (const id of targets) yield [id, this.outcomeOf(target++)]
  }

  /** When the service accepted the target, or a part of it; it may apply the change later. */
  acceptedAt(target: number): number | undefined {
    return this.#accepted[target] ? this.#times[target] : this.#partAcceptedAt.get(target)
  }

  /** Time of the last outcome; 0 without one. */
  get lastAt(): number {
    return this.#times.reduce((last, at) => Math.max(last, at), 0)
  }

  /** The current generation of the journal has an entry of what became of it. */
  isSettled(target: number): boolean {
    return this.#settled[target] === 1
  }

  maybeDone(target: number): boolean {
    return this.#maybeDone[target] === 1 || this.#begun[target] === 1
  }

  /** Of the targets that are left. */
  countMaybeDone(): number {
    return this.#count(target => this.maybeDone(target) && !this.#outcomes[target])
  }

  get mayHaveSent(): boolean {
    return this.#maybeDone.includes(1) || this.#begun.includes(1)
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
      const outcome = this.#keptOf(target)
      if (outcome?.status !== 'failed' || this.isFinal(target)) continue
      if (outcome.error.code === codes.stillThere) first.push(target)
      else last.push(target)
    }
    yield* first
    for (let target = 0; target < this.total; target++) if (!this.#outcomes[target]) yield target
    yield* last
  }

  countRemaining(): number {
    return this.#count(target => this.#isLeft(target))
  }

  get isFinished(): boolean {
    for (let target = 0; target < this.total; target++) if (this.#isLeft(target)) return false
    return true
  }

  /** Another attempt cannot help: the service said that the object does not exist. */
  isFinal(target: number): boolean {
    const outcome = this.#keptOf(target)
    return outcome?.status === 'failed' && outcome.error.name === 'not-found'
  }

  #isLeft(target: number): boolean {
    const outcome = this.#keptOf(target)
    return !outcome || (outcome.status === 'failed' && !this.isFinal(target))
  }

  #count(is: (target: number) => boolean): number {
    let count = 0
    for (let target = 0; target < this.total; target++) if (is(target)) count++
    return count
  }

  #checked(target: number): number {
    if (Number.isInteger(target) && target >= 0 && target < this.total) return target
    throw new RangeError('No such target')
  }
}
