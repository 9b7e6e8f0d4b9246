/** Works through the targets of a journal, with an entry before and after each, until done or stopped. */

import { PartialError, UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { countOf } from '../text/grouped.ts'
import type { Entry } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import { describeFailure, type Failed, type Outcome } from './outcome.ts'
import { runParallel } from './run-parallel.ts'
import type { Targets } from './targets/target-list.ts'
import { refuseTooLate } from './time-left.ts'
import type { Marks } from './undo/marks.ts'

export interface Before {
  /** Whether an earlier request got no answer: the target may be done. */
  readonly resent: boolean
  /** Whether the service has accepted anything in this run. */
  readonly accepted: boolean
  /** Resolves when the journal on disk tells which record was saved, and what will be set. */
  readonly saved: (sha256: string, marks: Marks) => Promise<void>
  /** Resolves when the journal tells that the service has only accepted one of several requests. */
  readonly partAccepted: () => Promise<void>
}

interface EngineRun {
  readonly targets: Targets
  readonly journal: Journal
  readonly concurrency: number
  /** The run begins no more targets after this many failures. */
  readonly maxFailures?: number | undefined
  /** How many targets are deleted, and read again until they are gone, before the others. */
  readonly canary?: number | undefined
  /** In how many ms from now the last target must have been begun. */
  readonly left?: (() => number) | undefined
  readonly clock: Clock
  /** Its reason ends the run; requests under way still finish. */
  readonly signal: AbortSignal
  /** Changes one target. Throws `Stop` for a failure that concerns every target. */
  readonly step: (id: string, before: Before) => Promise<Outcome>
  /** Reads a deleted target again: returns another outcome where it still exists. */
  readonly confirm: (id: string, outcome: Outcome) => Promise<Outcome>
  /** Called once the journal has the outcome. */
  readonly onOutcome: (id: string, outcome: Outcome) => void
}

/** A failure that concerns every target: it ends the run. */
export class Stop extends Error {
  readonly failure: unknown
  /** Whether the service certainly did nothing, now or before. */
  readonly harmless: boolean

  constructor(failure: unknown, harmless: boolean) {
    super('The run was stopped', { cause: failure })
    this.failure = failure
    this.harmless = harmless
  }
}

/** After so many failures of the service in a row, the service is down, not the targets. */
const mostUnavailable = 50

/** Resolves when every target has an outcome; rejects with what stopped the run. */
export async function runEngine(run: EngineRun): Promise<void> {
  const { journal, canary = 0 } = run
  const engine = new Engine(run)
  const { state } = journal
  if (canary === 0 || state.canaryPassed) return engine.over(state.remaining())
  let end = 0
  // A target that was gone already proves nothing, so the next one takes its place.
  while (state.counts.deleted < canary) {
    const tried = firstOf(state.remaining(end), canary - state.counts.deleted)
    await engine.over(tried, true)
    end = (tried.at(-1) ?? end) + 1
    // Without others there is nothing to stop: the failure of the only target is its own.
    if (state.remaining(end).next().done) return
    refuseFailedCanary(run, tried, end)
  }
  await journal.write(['canary'])
  await engine.over(state.remaining(end))
}

function firstOf(targets: Iterable<number>, most: number): number[] {
  const first: number[] = []
  for (const target of targets) if (first.push(target) >= most) break
  return first
}

class Engine {
  readonly #run: EngineRun
  #accepted = false
  #failures = 0
  #unavailable = 0

  constructor(run: EngineRun) {
    this.#run = run
  }

  async over(targets: Iterable<number>, confirming = false): Promise<void> {
    const { concurrency, signal } = this.#run
    try {
      await runParallel(targets, concurrency, target => {
        signal.throwIfAborted()
        refuseTooLate(this.#run.left)
        return this.#one(target, confirming)
      })
    } catch (error) {
      throw error instanceof Stop ? error.failure : error
    }
  }

  async #one(target: number, confirming: boolean): Promise<void> {
    const { step, confirm, targets, journal, clock, onOutcome } = this.#run
    const id = targets.at(target) ?? ''
    const before: Before = {
      resent: journal.state.isOpen(target),
      accepted: this.#accepted,
      saved: (sha256, marks) => journal.keep(['saved', target, sha256, clock.now(), marks]),
      partAccepted: () => journal.write(['accepted', target, clock.now()]),
    }
    const announced = journal.begin(target)
    if (announced) await announced
    let outcome: Outcome
    try {
      outcome = await step(id, before)
    } catch (error) {
      // A journal that cannot be written takes this target for one that was sent.
      if (error instanceof Stop)
        await journal.write([error.harmless ? 'unsent' : 'sent', target]).catch(() => undefined)
      throw error
    }
    if (confirming) outcome = await confirm(id, outcome)
    this.#accepted ||= outcome.status !== 'failed'
    await journal.write(entryOf(outcome, target, clock.now()))
    onOutcome(id, outcome)
    if (outcome.status === 'failed') this.#countFailure(outcome)
    else this.#unavailable = 0
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

function entryOf(outcome: Outcome, target: number, at: number): Entry {
  if (outcome.status !== 'failed') {
    const { status, evidence, isAccepted } = outcome
    return isAccepted ? [status, target, evidence, at, isAccepted] : [status, target, evidence, at]
  }
  return ['failed', target, outcome.error, outcome.unanswered ?? false, at]
}

function refuseFailedCanary({ journal: { state } }: EngineRun, tried: readonly number[], end: number): void {
  if (tried.every(target => state.outcomeOf(target)?.status !== 'failed')) return
  throw new PartialError(`Stopped: ${state.counts.failed} of the first ${end} failed`, {
    hint: 'Look into these before you resume',
  })
}
