/**
 * Processes the targets of a journal, with an entry before and after each, until all are done or the run stops. They are
 * sent in parcels: the targets of one request. Most requests have one target.
 */

import { PartialError, RejectedError, UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { countOf } from '../text/grouped.ts'
import type { JournalEntry } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import { type Missing, MissingTargets, type Proof } from './missing-targets.ts'
import { codes, describeFailure, type Failed, mayComeLater, type Outcome, type Status } from './outcome.ts'
import { parcelsOf, runParallel } from './run-parallel.ts'
import { type RunStep, type Sending, Stop } from './step.ts'

interface EngineRun {
  readonly targets: readonly string[]
  readonly journal: Journal
  readonly concurrency: number
  /** The most targets of one request. */
  readonly batch: number
  readonly maxFailures: number | undefined
  /** Number of targets that are deleted first, each alone, and read again until they are gone. */
  readonly canary: number | undefined
  readonly clock: Clock
  /** Its reason ends the run; running requests still finish. */
  readonly signal: AbortSignal
  /** Changes the targets of one request; returns what became of each. Throws `Stop` if a failure concerns every target. */
  readonly step: RunStep
  readonly proof: Proof
  /** Reads a deleted target again; returns another outcome if it still exists. */
  readonly confirm: (id: string, outcome: Outcome) => Promise<Outcome>
  readonly onOutcome: (id: string, outcome: Outcome) => void
}

/** After so many failures in a row, the service is down; the targets are not the reason. */
const mostUnavailable = 50

export async function runEngine(run: EngineRun): Promise<void> {
  const engine = new Engine(run)
  try {
    await overAll(engine, run)
    await engine.proveAll()
  } catch (error) {
    // The reason why the run stops matters more; a resume sends again what is not proved.
    await engine.proveAtStop().catch(() => undefined)
    throw error instanceof Stop ? error.failure : error
  }
}

async function overAll(engine: Engine, run: EngineRun): Promise<void> {
  const { journal, canary = 0 } = run
  const { state } = journal
  const remaining = state.remaining()
  if (canary === 0 || state.canaryPassed) return engine.over(remaining)
  const tried: number[] = []
  let next = remaining.next()
  // A target that was already gone proves nothing, so another one replaces it.
  while (state.counts.deleted < canary) {
    const group: number[] = []
    const most = canary - state.counts.deleted - engine.unproved('deleted')
    for (; !next.done && group.length < most; next = remaining.next()) group.push(next.value)
    await engine.over(group, true)
    tried.push(...group)
    // If no targets are left, there is nothing to stop, and the failure is only this target's.
    if (next.done) return
    const isEnough = state.counts.deleted + engine.unproved('deleted') >= canary
    if (isEnough || engine.unproved('failed') > 0) await engine.proveAll()
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
  readonly #missing: MissingTargets

  constructor(run: EngineRun) {
    this.#run = run
    this.#missing = new MissingTargets(run)
  }

  /** How many targets have this status once their 404 is proved. */
  unproved(status: Status): number {
    return this.#missing.count(status)
  }

  async over(targets: Iterable<number>, confirming = false): Promise<void> {
    const { concurrency, batch, signal, maxFailures = Number.POSITIVE_INFINITY } = this.#run
    // Whether the service knows a request of several targets must be known before a second one is sent.
    const width = confirming && batch > 1 ? 1 : concurrency
    await runParallel(parcelsOf(targets, confirming ? 1 : batch), width, async parcel => {
      if (this.#missing.isDue(maxFailures - this.#failures)) await this.#prove()
      signal.throwIfAborted()
      await this.#send(parcel, { confirming })
    })
  }

  async proveAll(): Promise<void> {
    while (!this.#missing.isEmpty) await this.#prove()
    if (this.#missing.unproved) throw this.#missing.unproved
  }

  /** Records which of the missing targets are gone. Sends no write, and counts no failure. */
  async proveAtStop(): Promise<void> {
    while (!this.#missing.isEmpty) {
      await this.#missing.prove(async ({ target, proved }, isThere) => {
        if (!isThere) await this.#record(target, proved)
      })
    }
  }

  /** A target that still exists is sent again, once. */
  #prove(): Promise<void> {
    return this.#missing.prove(async ({ target, id, proved, confirming, isSentAgain }, isThere) => {
      if (!isThere) return this.#end([[target, proved]])
      if (isSentAgain) throw contradiction(id)
      await this.#send([target], { confirming, isSentAgain: true })
    })
  }

  async #send(parcel: readonly number[], { confirming = false, isSentAgain = false }): Promise<void> {
    const { step, confirm, journal } = this.#run
    const sendings = parcel.map(target => this.#sending(target))
    await Promise.all(parcel.map(async target => journal.begin(target)))
    let outcomes: readonly (Outcome | Missing)[]
    try {
      outcomes = await step(sendings)
    } catch (error) {
      // If the journal cannot be written, the targets count as sent.
      if (error instanceof Stop) await this.#writeStopped(parcel, sendings, error).catch(() => undefined)
      throw error
    }
    const known: [number, Outcome][] = []
    for (const [i, target] of parcel.entries()) {
      const outcome = outcomes[i]
      const id = sendings[i]?.id ?? ''
      if (outcome === undefined) throw new TypeError('A target of the request has no outcome')
      if (outcome.status === 'missing') {
        await journal.write(['missing', target, outcome.maybeDone])
        this.#missing.add({ ...outcome, target, id, confirming, isSentAgain })
      } else known.push([target, confirming ? await confirm(id, outcome) : outcome])
    }
    await this.#end(known)
  }

  #sending(target: number): Sending {
    const { targets, journal, clock } = this.#run
    return {
      id: targets.at(target) ?? '',
      maybeDone: journal.state.maybeDone(target),
      accepted: this.#accepted,
      saved: (sha256, marks) => journal.keep(['saved', target, sha256, clock.now(), marks]),
      partAccepted: () => journal.write(['accepted', target, clock.now()]),
    }
  }

  async #writeStopped(parcel: readonly number[], sendings: readonly Sending[], { harmless }: Stop): Promise<void> {
    const { journal } = this.#run
    const isUnsent = (i: number) => harmless && sendings[i]?.maybeDone === false
    await Promise.all(parcel.map((target, i) => journal.write([isUnsent(i) ? 'unsent' : 'sent', target])))
  }

  async #record(target: number, outcome: Outcome): Promise<void> {
    const { targets, journal, clock, onOutcome } = this.#run
    await journal.write(entryOf(outcome, target, clock.now()))
    onOutcome(targets.at(target) ?? '', outcome)
  }

  /** Records all outcomes of a request before a failure among them may end the run. */
  async #end(outcomes: readonly (readonly [target: number, Outcome])[]): Promise<void> {
    if (outcomes.length === 0) return
    await Promise.all(outcomes.map(([target, outcome]) => this.#record(target, outcome)))
    const failed = outcomes.flatMap(([, outcome]) => (outcome.status === 'failed' ? [outcome] : []))
    this.#accepted ||= failed.length < outcomes.length
    // A request of many targets that fails says no more about the service than any other.
    const isUnavailable = failed.length === outcomes.length && failed.every(({ error }) => error.name === 'unavailable')
    this.#unavailable = isUnavailable ? this.#unavailable + 1 : 0
    for (const outcome of failed) if (outcome.stops) throw outcome.failure
    for (const outcome of failed) this.#countFailure(outcome)
  }

  #countFailure(outcome: Failed): void {
    this.#failures++
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
    const { status, evidence } = outcome
    return mayComeLater(outcome) ? [status, target, evidence, at, true] : [status, target, evidence, at]
  }
  return ['failed', target, outcome.error, outcome.maybeDone ?? false, at]
}

function refuseFailedCanary({ journal: { state } }: EngineRun, tried: readonly number[]): void {
  const failed = tried.filter(target => state.outcomeOf(target)?.status === 'failed').length
  if (failed === 0) return
  throw new PartialError(`Stopped: ${failed} of the first ${tried.length} failed`, {
    hint: 'Look into these before you resume',
  })
}
