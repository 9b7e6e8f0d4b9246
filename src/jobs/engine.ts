/** The engine: works on what a journal leaves to be done, a line before and after each step, until done or stopped. */
import type { Client } from '../api/client.ts'
import { PartialError, UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import type { Operation } from '../operations/operations.ts'
import { confirmGone } from './canary.ts'
import type { Entry } from './job-state.ts'
import type { Journal } from './journal.ts'
import { describeFailure, type Outcome } from './outcome.ts'
import { runParallel } from './run-parallel.ts'
import { Stop, step } from './step.ts'

export interface EngineRun {
  readonly client: Client
  readonly change: Operation
  readonly ids: readonly string[]
  readonly journal: Journal
  readonly concurrency: number
  /** Failures of this run after which no more is begun. */
  readonly maxFailures?: number | undefined
  /** How many are done, and looked at again, before the others. */
  readonly canary?: number | undefined
  readonly clock: Clock
  /** Ends the run with its reason; what is under way is left open. */
  readonly signal: AbortSignal
  /** Told of each outcome once it is recorded. */
  readonly onOutcome: (target: number, outcome: Outcome) => void
}

/** So many in a row without one that the service could deal with: it is not the targets that fail, it is the service. */
const patience = 50

/** Resolves when every target has its outcome; rejects with what stopped it before. */
export async function runEngine(work: EngineRun): Promise<void> {
  const { journal, canary = 0 } = work
  const run = new Run(work)
  const targets = [...journal.state.remaining()]
  if (canary > 0 && !journal.state.canaryPassed) {
    await run.over(targets.filter(target => target < canary))
    await passCanary(work, Math.min(canary, work.ids.length))
    await run.over(targets.filter(target => target >= canary))
  } else {
    await run.over(targets)
  }
}

class Run {
  readonly #work: EngineRun
  #accepted = false
  #failures = 0
  #unavailable = 0

  constructor(work: EngineRun) {
    this.#work = work
  }

  async over(targets: readonly number[]): Promise<void> {
    const { concurrency, signal } = this.#work
    try {
      await runParallel(targets, concurrency, async target => {
        signal.throwIfAborted()
        await this.#one(target)
      })
    } catch (error) {
      throw error instanceof Stop ? error.failure : error
    }
  }

  async #one(target: number): Promise<void> {
    const { client, change, ids, journal, clock, onOutcome } = this.#work
    const before = { resent: journal.state.isOpen(target), accepted: this.#accepted }
    await journal.begin(target)
    const outcome = await step(client, change, ids[target] ?? '', before).catch((error: unknown) => {
      // Turned away, and never lost before: it was surely not done.
      if (error instanceof Stop && error.harmless) journal.note(['unsent', target])
      throw error
    })
    await journal.write(entryOf(outcome, target, clock.now()))
    onOutcome(target, outcome)
    this.#accepted ||= outcome.status !== 'failed'
    this.#weigh(outcome)
  }

  #weigh(outcome: Outcome): void {
    if (outcome.status !== 'failed') {
      this.#unavailable = 0
      return
    }
    this.#failures++
    this.#unavailable = outcome.fault.name === 'unavailable' ? this.#unavailable + 1 : 0
    const most = this.#work.maxFailures
    if (most !== undefined && this.#failures >= Math.max(1, most)) {
      throw new PartialError(`Stopped after ${this.#failures} failures`, {
        hint: 'That is the limit of --max-failures',
      })
    }
    if (this.#unavailable >= patience) {
      throw new UnavailableError(`Stopped: the last ${patience} all failed: ${describeFailure(outcome)}`, {
        hint: 'Resume when the service works again',
        retryable: true,
      })
    }
  }
}

function entryOf(outcome: Outcome, target: number, at: number): Entry {
  if (outcome.status !== 'failed') return [outcome.status, target, outcome.evidence, at]
  return ['failed', target, outcome.fault, outcome.unanswered ?? false, at]
}

async function passCanary(work: EngineRun, count: number): Promise<void> {
  const { journal, ids } = work
  const targets = ids.slice(0, count)
  const failures = targets.filter((_, target) => journal.state.outcomeOf(target)?.status === 'failed').length
  if (failures > 0) {
    throw new PartialError(`Stopped: ${failures} of the first ${count} failed`, {
      hint: 'Look into these before you resume',
    })
  }
  await confirmGone(work, targets)
  await journal.write(['canary'])
}
