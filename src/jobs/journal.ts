/**
 * What became of each target: a line before and one after each request, appended and synced each second. What cannot be read
 * counts as not written, so a power loss sends some targets again and makes no false success.
 * `["sent",12]`, `["unsent",12]`: it certainly did nothing; `["deleted",12,at,"answered"]`; `["failed",12,at,error,maybeDone]`.
 */
import { readLines } from '../files/regular-file.ts'
import type { Clock } from '../host.ts'
import type { Lock } from '../locks/lock.ts'
import { JournalFile } from './journal-file.ts'
import { type Bad, type Counts, type Good, isFinal, type Outcome, type Status, Stop, statuses } from './outcome.ts'

export type Recorded = (Good | Bad) & { readonly at: number }

export class Journal {
  readonly total: number
  /** Equal outcomes are one object, because there may be a million. */
  readonly #outcomes: (Good | Bad | undefined)[]
  readonly #known = new Map<string, Good | Bad>()
  readonly #times: Float64Array
  /** 1: it was sent, and no certain answer came. */
  readonly #maybeDone: Uint8Array
  readonly #counts = { deleted: 0, updated: 0, gone: 0, failed: 0, left: 0 }
  #file: JournalFile | undefined
  #lock: Lock | undefined

  /** In memory, until a file is read or opened. */
  constructor(total: number) {
    this.total = total
    this.#outcomes = new Array(total)
    this.#times = new Float64Array(total)
    this.#maybeDone = new Uint8Array(total)
    this.#counts.left = total
  }

  static read(path: string, total: number): Journal {
    const journal = new Journal(total)
    for (const line of readLines(path)) journal.#read(line)
    return journal
  }

  /** To be written by this process, which holds the lock. */
  static open(path: string, total: number, { lock, clock }: { readonly lock: Lock; readonly clock: Clock }): Journal {
    const file = new JournalFile(path, clock)
    const journal = Journal.read(path, total)
    journal.#file = file
    journal.#lock = lock
    return journal
  }

  #read(line: string): void {
    let entry: unknown
    try {
      entry = JSON.parse(line)
    } catch {
      return
    }
    if (!Array.isArray(entry)) return
    // It was written by this program.
    const [what, target, at, told, maybeDone] = entry as ['sent' | 'unsent' | Status, number, number, never, boolean]
    if (!(target in this.#maybeDone)) return
    if (what === 'sent' || what === 'unsent') this.#maybeDone[target] = Number(what === 'sent')
    else if (what === 'failed') this.#apply(target, { status: what, error: told, maybeDone }, at)
    else if (statuses.includes(what)) this.#apply(target, { status: what, evidence: told }, at)
  }

  #apply(target: number, outcome: Good | Bad, at: number): void {
    const before = this.#outcomes[target]?.status ?? 'left'
    // A process that has lost its lock may still tell of its last requests.
    if (before === 'deleted' || before === 'updated') return
    const key = `${outcome.status} ${toldOf(outcome)}`
    const shared = this.#known.get(key) ?? keptOf(outcome)
    this.#known.set(key, shared)
    this.#counts[before]--
    this.#counts[outcome.status]++
    this.#outcomes[target] = shared
    this.#times[target] = at
    this.#maybeDone[target] = Number(outcome.status === 'failed' && outcome.maybeDone)
  }

  /** Throws `Stop` if the lock is lost or the disk is full: nothing may be sent then. */
  begin(target: number): void {
    try {
      this.#lock?.check()
      this.#file?.append(`["sent",${target}]\n`)
    } catch (error) {
      throw new Stop(error)
    }
    this.#maybeDone[target] = 1
  }

  /** After `begin`, where the request certainly did nothing. */
  unsent(target: number): void {
    if (!this.maybeDone(target)) return
    this.#file?.append(`["unsent",${target}]\n`)
    this.#maybeDone[target] = 0
  }

  end(outcomes: ReadonlyMap<{ readonly target: number }, Outcome>, at: number): void {
    const lines = Array.from(outcomes, ([{ target }, one]) => `["${one.status}",${target},${at},${toldOf(one)}]\n`)
    this.#file?.append(lines.join(''))
    for (const [{ target }, one] of outcomes) this.#apply(target, one, at)
  }

  outcomeOf(target: number): Recorded | undefined {
    const outcome = this.#outcomes[target]
    return outcome && { ...outcome, at: this.#times[target] ?? 0 }
  }

  /** A generator, because there may be a million. */
  *outcomesOf(targets: readonly string[]): Generator<readonly [id: string, outcome: Recorded | undefined]> {
    for (const [target, id] of targets.entries()) yield [id, this.outcomeOf(target)]
  }

  maybeDone(target: number): boolean {
    return this.#maybeDone[target] === 1
  }

  get counts(): Counts {
    return this.#counts
  }

  /** Of the targets that are left, those that were sent. */
  countMaybeDone(): number {
    return this.#maybeDone.reduce((sum, maybe, target) => sum + (this.#outcomes[target] ? 0 : maybe), 0)
  }

  /** True where none of the targets was there. */
  get isNobody(): boolean {
    const { deleted, updated, left } = this.#counts
    const found = (one: Good | Bad | undefined) => one?.status === 'failed' && one.error.name !== 'not-found'
    return this.total > 0 && deleted + updated + left === 0 && !this.#outcomes.some(found)
  }

  /** Time of the last outcome; 0 without one. */
  get lastAt(): number {
    return this.#times.reduce((last, at) => Math.max(last, at), 0)
  }

  /** First those without an outcome, then those that failed, so that these hold up no other. */
  *remaining(): Generator<number> {
    const failed: number[] = []
    for (let target = 0; target < this.total; target++) {
      if (this.#outcomes[target] && !isFinal(this.#outcomes[target])) failed.push(target)
    }
    for (let target = 0; target < this.total; target++) if (!this.#outcomes[target]) yield target
    yield* failed
  }

  countRemaining(): number {
    let count = 0
    for (const _ of this.remaining()) count++
    return count
  }

  get isFinished(): boolean {
    return this.remaining().next().done === true
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
  }
}

/** What a line tells of an outcome behind its time. */
function toldOf(outcome: Good | Bad): string {
  if (outcome.status === 'failed') return `${JSON.stringify(outcome.error)},${outcome.maybeDone}`
  return `"${outcome.evidence}"`
}

function keptOf(outcome: Good | Bad): Good | Bad {
  const { status } = outcome
  if (status !== 'failed') return { status, evidence: outcome.evidence }
  return { status, error: outcome.error, maybeDone: outcome.maybeDone }
}
