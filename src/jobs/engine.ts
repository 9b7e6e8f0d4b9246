import { setMaxListeners } from 'node:events'
import { PartialError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { countOf } from '../text/grouped.ts'
import type { Journal } from './journal.ts'
import type { Outcome } from './outcome.ts'
import { batchesOf, runParallel } from './run-parallel.ts'

export type RunState = ReturnType<typeof createState>

/** Changes the targets of one request. Throws only for bugs, and what keeps the journal or backup from being written. */
export type Step = (batch: readonly number[]) => Promise<void>

interface EngineRun {
  readonly targets: readonly string[]
  readonly journal: Journal
  readonly concurrency: number
  readonly batchSize: number
  readonly maxFailures: number | undefined
  readonly clock: Clock
  readonly interrupted: AbortSignal
  readonly onOutcome: (id: string, outcome: Outcome) => void
}

export async function runEngine(run: EngineRun, createStep: (state: RunState) => Step): Promise<unknown> {
  const { journal, concurrency, batchSize, interrupted } = run
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const interrupt = () => stop.abort(interrupted.reason)
  if (interrupted.aborted) interrupt()
  interrupted.addEventListener('abort', interrupt)
  const step = createStep(createState(run, stop))
  await runParallel(batchesOf(journal.remaining(), batchSize), concurrency, async batch => {
    if (!stop.signal.aborted) await step(batch).catch(error => stop.abort(error))
  })
  interrupted.removeEventListener('abort', interrupt)
  if (interrupted.aborted) return interrupted.reason
  return stop.signal.aborted ? stop.signal.reason : undefined
}

function createState({ targets, journal, clock, maxFailures, onOutcome }: EngineRun, stop: AbortController) {
  let hasSucceeded = false
  let failures = 0
  return {
    /** The one stop of the run. After it fires nothing more is sent; targets without an outcome stay open for a resume. */
    stop,
    /** A target of this run was changed, so the key may change targets. */
    get hasSucceeded() {
      return hasSucceeded
    },
    settle(outcomes: ReadonlyMap<number, Outcome>): void {
      journal.settle(outcomes, clock.now())
      for (const [target, outcome] of outcomes) {
        if (outcome.status === 'failed') failures++
        else if (outcome.status !== 'gone') hasSucceeded = true
        onOutcome(targets[target] ?? '', outcome)
      }
      // A single target fails with its own error.
      if (targets.length === 1 || maxFailures === undefined || failures < Math.max(1, maxFailures)) return
      stop.abort(
        new PartialError(`Stopped after ${countOf(failures, 'failure')}`, {
          hint: 'This is the limit of --max-failures',
        }),
      )
    },
  }
}
