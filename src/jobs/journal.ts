/**
 * The outcome of each target: lines before and after each request, appended, and synced each second. A line that cannot be
 * read counts as not written, so a power loss sends some targets again and makes no false success.
 *
 *   ["sent",12]                              an attempt begins
 *   ["nothing",12]                           it certainly did nothing
 *   ["deleted",12,at,"answered",uuid]        the outcome; `uuid` where it is known and not the id
 *   ["failed",12,at,error,uncertain,uuid]
 *   ["seen"]                                 a target was there when this job read it
 *   ["unasked",3]                            the server queued the events of 3 persons without being asked
 */
import { readLines } from '../files/regular-file.ts'
import type { Clock } from '../host.ts'
import type { Lock } from '../locks/lock.ts'
import { type AppendFile, openAppendFile } from './append-file.ts'
import { type Evidence, type Failed, type Outcome, type Success, statuses } from './outcome.ts'

const didNothing = 0
const underWay = 1
const mayHaveActed = 2

export class Journal {
  readonly total: number
  /** Equal outcomes are one object, because there may be a million. */
  readonly #outcomes: (Success | Failed | undefined)[]
  readonly #known = new Map<string, Success | Failed>()
  readonly #times: Float64Array
  readonly #requests: Uint8Array
  readonly #uuids = new Map<number, string>()
  readonly counts = { deleted: 0, updated: 0, gone: 0, failed: 0, left: 0 }
  unaskedEvents = 0
  #sawTarget = false
  #file: AppendFile | undefined
  #lock: Lock | undefined

  constructor(total: number) {
    this.total = total
    this.#outcomes = new Array(total)
    this.#times = new Float64Array(total)
    this.#requests = new Uint8Array(total)
    this.counts.left = total
  }

  static read(path: string, total: number): Journal {
    const journal = new Journal(total)
    for (const line of readLines(path)) journal.#read(line)
    return journal
  }

  static open(path: string, total: number, { lock, clock }: { readonly lock: Lock; readonly clock: Clock }): Journal {
    const file = openAppendFile('The journal', path, 'Check the permissions of its folder', clock)
    const journal = Journal.read(path, total)
    journal.#file = file
    journal.#lock = lock
    return journal
  }

  #read(line: string): void {
    const entry = entryIn(line)
    // This program wrote the line.
    const [what, target, at] = entry as [string, number, number]
    if (what === 'seen') this.#sawTarget = true
    if (what === 'unasked') this.unaskedEvents += target
    if (!(target in this.#requests)) return
    // An attempt without an outcome may have acted before the process was killed.
    if (what === 'sent') this.#requests[target] = mayHaveActed
    if (what === 'nothing') this.#requests[target] = didNothing
    const status = statuses.find(one => one === what)
    if (status === 'failed') {
      const [error, isUncertain, uuid] = entry.slice(3) as [Failed['error'], boolean, string?]
      this.#requests[target] = isUncertain ? mayHaveActed : didNothing
      this.noteUuid(target, uuid)
      this.#apply(target, { status, error }, at)
    } else if (status) {
      const [evidence, uuid] = entry.slice(3) as [Evidence, string?]
      this.noteUuid(target, uuid)
      this.#apply(target, { status, evidence }, at)
    }
  }

  #apply(target: number, outcome: Success | Failed, at: number): void {
    const before = this.#outcomes[target]?.status ?? 'left'
    // A process that has lost its lock may still write the end of its last requests.
    if (before === 'deleted' || before === 'updated') return
    const { status } = outcome
    const key = `${status} ${detailsIn(outcome)}`
    const plain = status === 'failed' ? { status, error: outcome.error } : { status, evidence: outcome.evidence }
    const shared = this.#known.get(key) ?? plain
    this.#known.set(key, shared)
    this.counts[before]--
    this.counts[status]++
    this.#outcomes[target] = shared
    this.#times[target] = at
    if (status !== 'failed') this.#requests[target] = didNothing
  }

  /** Before each attempt. Throws a `Failure` if nothing may be sent: the lock is lost, or the disk is full. */
  begin(targets: readonly number[]): void {
    this.#lock?.check()
    this.#file?.append(targets.map(target => `["sent",${target}]\n`).join(''))
    for (const target of targets) this.#requests[target] ||= underWay
  }

  noteUnknown(targets: readonly number[]): void {
    for (const target of targets) this.#requests[target] = mayHaveActed
  }

  /** After `begin`: the attempt did nothing, or nothing that counts for these targets. */
  noteNothing(targets: readonly number[]): void {
    const cleared = targets.filter(target => this.#requests[target] === underWay)
    this.#file?.append(cleared.map(target => `["nothing",${target}]\n`).join(''))
    for (const target of cleared) this.#requests[target] = didNothing
  }

  settle(outcomes: ReadonlyMap<number, Outcome>, at: number): void {
    const lines: string[] = []
    for (const [target, outcome] of outcomes) {
      const { status } = outcome
      const uuid = this.#uuids.get(target)
      if (this.#requests[target] === underWay) this.#requests[target] = didNothing
      const more = status === 'failed' ? `,${this.isUncertain(target)}` : ''
      const known = uuid === undefined ? '' : `,${JSON.stringify(uuid)}`
      lines.push(`["${status}",${target},${at},${detailsIn(outcome)}${more}${known}]\n`)
    }
    this.#file?.append(lines.join(''))
    for (const [target, outcome] of outcomes) this.#apply(target, outcome, at)
  }

  /** A target was there when it was read, so a later 404 does not mean the wrong project. */
  noteSeen(): void {
    if (!this.#sawTarget) this.#file?.append('["seen"]\n')
    this.#sawTarget = true
  }

  /** The receipt shows the UUID of a person whose id is a number. */
  noteUuid(target: number, uuid: string | null | undefined): void {
    if (uuid != null) this.#uuids.set(target, uuid)
  }

  noteUnaskedEvents(persons: number): void {
    this.#file?.append(`["unasked",${persons}]\n`)
    this.unaskedEvents += persons
  }

  outcomeOf(target: number) {
    const outcome = this.#outcomes[target]
    // V8 frees the result of a spread here only in a full collection.
    return outcome && Object.assign({ at: this.#times[target] ?? 0, uuid: this.#uuids.get(target) }, outcome)
  }

  *outcomesOf(targets: readonly string[]) {
    for (const [target, id] of targets.entries()) yield [id, this.outcomeOf(target)] as const
  }

  /** An earlier request of this job may have changed the target: it got no response, or an error of the server. */
  isUncertain(target: number): boolean {
    return this.#requests[target] === mayHaveActed
  }

  countUncertain(): number {
    return this.#requests.filter((one, target) => one !== didNothing && !this.#outcomes[target]).length
  }

  /** Each target ended with a 404 of its own, and no target was read before. */
  get nothingFound(): boolean {
    const { deleted, updated, left } = this.counts
    return this.total > 0 && deleted + updated + left === 0 && !this.#sawTarget && !this.#outcomes.some(isRetried)
  }

  get lastAt(): number {
    return this.#times.reduce((last, at) => Math.max(last, at), 0)
  }

  /** Targets without an outcome first: retrying the failed ones may not help. */
  *remaining(): Generator<number> {
    const failed: number[] = []
    for (let target = 0; target < this.total; target++) {
      const outcome = this.#outcomes[target]
      if (!outcome) yield target
      else if (isRetried(outcome)) failed.push(target)
    }
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

function detailsIn(outcome: Success | Failed): string {
  return outcome.status === 'failed' ? JSON.stringify(outcome.error) : `"${outcome.evidence}"`
}

/** It failed, and not by a proved 404, which is final. */
function isRetried(outcome: Success | Failed | undefined): boolean {
  return outcome?.status === 'failed' && outcome.error.name !== 'not-found'
}

function entryIn(line: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(line)
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}
