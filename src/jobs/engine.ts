/** Works through the targets of a journal, with a line before and after each, until all are done or the run stops. */
import { notTheService, PartialError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { countOf } from '../text/grouped.ts'
import type { Journal } from './journal.ts'
import { type Outcome, Stop } from './outcome.ts'
import { parcelsOf, runParallel } from './run-parallel.ts'

export interface Sending {
  readonly target: number
  readonly id: string
  /** An earlier request got no answer or a 5xx, so the target may be done. */
  readonly maybeDone: boolean
}

/**
 * Changes the targets of one request, and sets what became of each. `accepted`: another target was changed.
 * Throws what concerns every target; those without an outcome are left then.
 */
export type Step = (parcel: readonly Sending[], outcomes: Map<Sending, Outcome>, accepted: boolean) => Promise<void>

interface EngineRun {
  readonly targets: readonly string[]
  readonly journal: Journal
  readonly concurrency: number
  readonly batch: number
  readonly maxFailures: number | undefined
  readonly clock: Clock
  /** Its reason ends the run; running requests still finish. */
  readonly signal: AbortSignal
  readonly step: Step
  readonly onOutcome: (id: string, outcome: Outcome) => void
}

export async function runEngine(run: EngineRun): Promise<void> {
  const { journal, concurrency, batch, signal } = run
  const tally = { accepted: false, failures: 0 }
  const parcels = parcelsOf(journal.remaining(), batch)
  // Whether the service knows such a request must be known before a second one is sent.
  const first = batch > 1 ? parcels.next().value : undefined
  if (first) await send(run, first, tally)
  await runParallel(parcels, concurrency, parcel => {
    signal.throwIfAborted()
    return send(run, parcel, tally)
  })
}

interface Tally {
  accepted: boolean
  failures: number
}

async function send(run: EngineRun, parcel: readonly number[], tally: Tally): Promise<void> {
  const { targets, journal, step, clock, onOutcome, maxFailures } = run
  const sendings = parcel.map(target => ({
    target,
    id: targets[target] ?? '',
    maybeDone: journal.maybeDone(target),
  }))
  const ended = new Map<Sending, Outcome>()
  let stop: unknown
  try {
    await step(sendings, ended, tally.accepted)
  } catch (error) {
    stop = error instanceof Stop ? error.cause : error
  }
  journal.end(ended, clock.now())
  for (const [{ id }, outcome] of ended) onOutcome(id, outcome)
  if (stop) throw stop
  const failed = [...ended.values()].filter(outcome => outcome.status === 'failed')
  tally.accepted ||= failed.length < ended.size
  const foreign = failed.find(({ error }) => error.code === notTheService)
  if (foreign) throw foreign.failure
  tally.failures += failed.length
  // A single target fails with its own error.
  if (failed.length > 0 && targets.length > 1 && maxFailures !== undefined && tally.failures >= maxFailures) {
    throw new PartialError(`Stopped after ${countOf(tally.failures, 'failure', 'failures')}`, {
      hint: 'That is the limit of --max-failures',
    })
  }
}
