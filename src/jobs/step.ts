/** What the engine calls for each request, and how that ends a run. */
import type { Missing } from './missing-targets.ts'
import type { Outcome } from './outcome.ts'
import type { Marks } from './undo/marks.ts'

/** One target of a parcel. */
export interface Sending {
  readonly id: string
  /** An earlier request got no answer, so the target may be done. */
  readonly maybeDone: boolean
  readonly accepted: boolean
  /** Resolves when the journal on disk names the saved record and the values to be set. */
  readonly saved: (sha256: string, marks: Marks) => Promise<void>
  /** Resolves when the journal says that the service accepted one of several requests. */
  readonly partAccepted: () => Promise<void>
}

export type RunStep = (parcel: readonly Sending[]) => Promise<readonly (Outcome | Missing)[]>

/** Ends the run, because the failure concerns every target. */
export class Stop extends Error {
  readonly failure: unknown
  /** The service certainly did nothing with this request. */
  readonly harmless: boolean

  constructor(failure: unknown, harmless: boolean) {
    super('The run was stopped', { cause: failure })
    this.failure = failure
    this.harmless = harmless
  }
}
