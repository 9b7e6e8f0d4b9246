/** What an undo knows of the job that it takes back. */
import type { Mark } from '../jobs/undo/marks.ts'
import type { JsonObject } from '../json/exact.ts'

/** What was there before a job, and what the job set. By the path of the field. */
export interface Restore {
  /** Without those that had no value. */
  readonly before: JsonObject
  /** Several where the job tried several times with different values. */
  readonly set: Readonly<Record<string, readonly Mark[]>>
  /** In ms: until then the service may apply what it only accepted. */
  readonly landsBy?: number
  /** It may have been sent, and nothing came back: it may be applied after the target was read. */
  readonly isOpen?: true
}

/** `body` and `unset` are what is sent to one target; of `undo` they are computed. */
export interface UndoValues {
  readonly body?: JsonObject | undefined
  readonly unset: readonly string[]
  readonly undo?: Undo | undefined
}

interface Undo {
  readonly key: string
  /** Puts back what somebody changed since, too. */
  readonly force: boolean
  readonly restores: readonly Restore[]
  /** The index of its restore by the id of the target. */
  readonly restoreOf: Readonly<Record<string, number>>
}
