/** Processes the targets of a journal, with an entry before and after each, until all are done or the run stops. */

import { type Failure, PartialError, RejectedError, UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { countOf } from '../text/grouped.ts'
import type { JournalEntry } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import { codes, describeFailure, type Failed, type Outcome } from './outcome.ts'
import { runParallel } from './run-parallel.ts'
import type { Targets } from './targets/target-list.ts'
import { refuseTooLate } from './time-left.ts'
import type { Marks } from './undo/marks.ts'

export interface StepContext {
  /** An earlier request got no answer, so the target may be done. */
  readonly resent: boolean
  readonly accepted: boolean
  /** Resolves when the journal on disk names the saved record and the values to be set. */
  readonly saved: (sha256: string, marks: Marks) => Promise<void>
  /** Resolves when the journal says that the service accepted one of several requests. */
  readonly partAccepted: () => Promise<void>
}

/** The service answered 404, which counts only once it is proved that the object does not exist. */
export interface Missing {
  readonly status: 'missing'
  /** The outcome once it is proved. */
  readonly proved: Outcome
  /** An earlier request may have done it. */
  readonly maybeDone: boolean
}

/** What the service must answer after a 404: a list, and then the object's 404 once more. */
export interface Proof {
  /** Throws unless the service answers the list of the targets. */
  list(): Promise<void>
  /** False for a 404 of the service; throws for any other failure. */
  exists(id: string): Promise<boolean>
}

interface EngineRun {
  readonly targets: Targets
  readonly journal: Journal
  readonly concurrency: number
  readonly maxFailures?: number | undefined
  /** Number of targets that are deleted first, and read again until they are gone. */
  readonly canary?: number | undefined
  /** Milliseconds in which new targets may be started. */
  readonly left?: (() => number) | undefined
  readonly clock: Clock
  /** Its reason ends the run; running requests still finish. */
  readonly signal: AbortSignal
  /** Changes one target. Throws `Stop` for a failure that concerns every target. */
  readonly step: (id: string, before: StepContext) => Promise<Outcome | Missing>
  readonly proof: Proof
  /** Reads a deleted target again; returns another outcome if it still exists. */
  readonly confirm: (id: string, outcome: Outcome) => Promise<Outcome>
  readonly onOutcome: (id: string, outcome: Outcome) => void
}

/** Ends the run, because the failure concerns every target. */
export class Stop extends Error {
  readonly failure: unknown
  /** The service certainly did nothing, now or before. */
  readonly harmless: boolean

  constructor(failure: unknown, harmless: boolean) {
    super('The run was stopped', { cause: failure })
    this.failure = failure
    this.harmless = harmless
  }
}

/** After so many failures in a row, the service is down; the targets are not the reason. */
const mostUnavailable = 50

/** Targets answered with 404 are proved together: one list for so many, or after so many milliseconds. */
const provedTogether = { count: 100, ms: 30_000 }

interface Pending extends Missing {
  readonly target: number
  readonly confirming: boolean
  /** It was there after its first 404, and was sent again. */
  readonly isSentAgain: boolean
}

export async function runEngine(run: EngineRun): Promise<void> {
  const { journal, canary = 0 } = run
  const engine = new Engine(run)
  const { state } = journal
  const remaining = state.remaining()
  if (canary === 0 || state.canaryPassed) return engine.over(remaining)
  const tried: number[] = []
  let next = remaining.next()
  // A target that was already gone proves nothing, so another one replaces it.
  while (state.counts.deleted < canary) {
    const group: number[] = []
    const most = canary - state.counts.deleted
    for (; !next.done && group.length < most; next = remaining.next()) group.push(next.value)
    await engine.over(group, true)
    tried.push(...group)
    // If no targets are left, there is nothing to stop, and the failure is only this target's.
    if (next.done) return
    refuseFailedCanary(run, tried)
  }
  await journal.write(['canary'])
  await engine.over(after(next, remaining))
}

function* after(next: IteratorResult<number>, others: Generator<number>): Generator<number> {
  if (next.done) return
  yield next.value
  yield* others
}

class Engine {
  readonly #run: EngineRun
  #accepted = false
  #failures = 0
  #unavailable = 0
  #missing: Pending[] = []
  #missingSince = 0
  #unproved: Failure | undefined

  constructor(run: EngineRun) {
    this.#run = run
  }

  async over(targets: Iterable<number>, confirming = false): Promise<void> {
    const { concurrency, signal } = this.#run
    try {
      await runParallel(targets, concurrency, async target => {
        if (this.#isProofDue()) await this.#prove()
        signal.throwIfAborted()
        refuseTooLate(this.#run.left)
        await this.#one(target, { confirming })
      })
      while (this.#missing.length > 0) await this.#prove()
    } catch (error) {
      // The reason why the run stops matters more; a resume sends again what is not proved.
      await this.#prove({ maySend: false }).catch(() => undefined)
      throw error instanceof Stop ? error.failure : error
    }
    if (this.#unproved) throw this.#unproved
  }

  async #one(target: number, { confirming = false, isSentAgain = false }): Promise<void> {
    const { step, confirm, targets, journal, clock } = this.#run
    const id = targets.at(target) ?? ''
    const before: StepContext = {
      resent: journal.state.isOpen(target),
      accepted: this.#accepted,
      saved: (sha256, marks) => journal.keep(['saved', target, sha256, clock.now(), marks]),
      partAccepted: () => journal.write(['accepted', target, clock.now()]),
    }
    const announced = journal.begin(target)
    if (announced) await announced
    let outcome: Outcome | Missing
    try {
      outcome = await step(id, before)
    } catch (error) {
      // If the journal cannot be written, the target counts as sent.
      if (error instanceof Stop)
        await journal.write([error.harmless ? 'unsent' : 'sent', target]).catch(() => undefined)
      throw error
    }
    if (outcome.status === 'missing') {
      await journal.write(['missing', target, outcome.maybeDone])
      if (this.#missing.length === 0) this.#missingSince = clock.elapsed()
      this.#missing.push({ ...outcome, target, confirming, isSentAgain })
    } else await this.#end(target, confirming ? await confirm(id, outcome) : outcome)
  }

  async #end(target: number, outcome: Outcome): Promise<void> {
    const { targets, journal, clock, onOutcome } = this.#run
    this.#accepted ||= outcome.status !== 'failed'
    await journal.write(entryOf(outcome, target, clock.now()))
    onOutcome(targets.at(target) ?? '', outcome)
    if (outcome.status === 'failed') this.#countFailure(outcome)
    else this.#unavailable = 0
  }

  /** A failure that is not proved yet counts for `--max-failures`. */
  #isProofDue(): boolean {
    const { clock, maxFailures = Number.POSITIVE_INFINITY } = this.#run
    const count = this.#missing.length
    if (count === 0) return false
    if (count >= provedTogether.count || clock.elapsed() - this.#missingSince >= provedTogether.ms) return true
    return this.#failures + this.#missing.filter(({ proved }) => proved.status === 'failed').length >= maxFailures
  }

  /** Tries all, although an object that cannot be read is left over. What is there after all is sent again, once. */
  async #prove({ maySend = true } = {}): Promise<void> {
    const { concurrency, targets, proof } = this.#run
    const missing = this.#missing
    this.#missing = []
    if (missing.length === 0) return
    await proof.list()
    await runParallel(missing, concurrency, async ({ target, proved, confirming, isSentAgain }) => {
      const id = targets.at(target) ?? ''
      const isThere = await proof.exists(id).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error
        this.#unproved ??= error
        return undefined
      })
      if (isThere === false) return this.#end(target, proved)
      if (isThere === undefined || !maySend) return
      if (isSentAgain) throw contradiction(id)
      await this.#one(target, { confirming, isSentAgain: true })
    })
  }

  #countFailure(outcome: Failed): void {
    if (outcome.stops) throw outcome.failure
    this.#failures++
    this.#unavailable = outcome.error.name === 'unavailable' ? this.#unavailable + 1 : 0
    const { maxFailures, targets } = this.#run
    const most = targets.length > 1 ? maxFailures : undefined
    if (most !== undefined && this.#failures >= Math.max(1, most)) {
      throw new PartialError(`Stopped after ${countOf(this.#failures, 'failure', 'failures')}`, {
        hint: 'That is the limit of --max-failures',
      })
    }
    if (this.#unavailable >= mostUnavailable) {
      throw new UnavailableError(`Stopped: the last ${mostUnavailable} all failed: ${describeFailure(outcome)}`, {
        hint: 'Resume when the service works again',
        retryable: true,
      })
    }
  }
}

function contradiction(id: string): RejectedError {
  return new RejectedError(`Stopped: the service answers 404 to the request for ${id}, and shows it when it is read`, {
    code: codes.stillThere,
    hint: 'Check what stands between here and the service; what is left may still be there',
  })
}

function entryOf(outcome: Outcome, target: number, at: number): JournalEntry {
  if (outcome.status !== 'failed') {
    const { status, evidence, isAccepted } = outcome
    return isAccepted ? [status, target, evidence, at, isAccepted] : [status, target, evidence, at]
  }
  return ['failed', target, outcome.error, outcome.unanswered ?? false, at]
}

function refuseFailedCanary({ journal: { state } }: EngineRun, tried: readonly number[]): void {
  const failed = tried.filter(target => state.outcomeOf(target)?.status === 'failed').length
  if (failed === 0) return
  throw new PartialError(`Stopped: ${failed} of the first ${tried.length} failed`, {
    hint: 'Look into these before you resume',
  })
}
