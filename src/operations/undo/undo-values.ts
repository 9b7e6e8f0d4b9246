/** What an undo knows of the job that it takes back. */
import type { Mark } from '../../jobs/undo/marks.ts'
import type { JsonObject } from '../../json/exact.ts'

/** Keys are paths of fields. */
export interface Restore {
  readonly before: JsonObject
  /** Several values if the job made attempts with different values. */
  readonly set: Readonly<Record<string, readonly Mark[]>>
  /** Milliseconds: the service may still apply an accepted change until then. */
  readonly landsBy?: number
  /** Sent without an answer, so the change may be applied after the target was read. */
  readonly isOpen?: true
}

/** `body` and `unset` are sent to one target; `undo` is used to compute them. */
export interface UndoValues {
  readonly body?: JsonObject | undefined
  readonly unset: readonly string[]
  readonly undo?: Undo | undefined
}

export interface Undo {
  readonly key: string
  /** Also restores values that somebody changed since. */
  readonly force: boolean
  readonly restores: readonly Restore[]
  readonly restoreOf: Readonly<Record<string, number>>
}
