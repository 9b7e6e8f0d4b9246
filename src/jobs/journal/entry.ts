import type { BackupFile } from '../backup.ts'
import type { Evidence, OutcomeError, Status } from '../outcome.ts'
import type { Marks } from '../undo/marks.ts'

/**
 * Times are in ms since 1970.
 * - `may-send`: the targets before this one may be sent from now on; on disk before the first of them is sent.
 * - `saved`: SHA-256 of the record in the backup, the time, and marks of the values to set; before the target is sent.
 * - a status: the outcome of a target; the last one counts. `true` after a failure: the service may have done it;
 *   after a time: the service accepted it and may apply it later.
 * - `accepted`: the service accepted one of several requests, and when; before the next one is sent.
 * - `missing`: the target was answered with 404, which is not proved yet; `true`: an earlier request may have done it.
 * - `sent`: the target got no answer; written at the end of a run, and before a target is tried again.
 * - `unsent`: the service certainly did nothing.
 * - `backup`: the file in which a resume saves records, if it differs from the one before.
 * - `canary`: the targets of the canary were deleted, read again, and are gone.
 * - `closed`: the run has ended, with the number of targets per status.
 */
export type JournalEntry =
  | readonly ['may-send', number]
  | readonly ['sent' | 'unsent', number]
  | SavedEntry
  | readonly ['missing', number, maybeDone: boolean]
  | readonly ['accepted', number, at: number]
  | readonly ['deleted' | 'updated' | 'gone', number, Evidence, number, isAccepted?: true]
  | readonly ['failed', number, OutcomeError, boolean, number]
  | readonly ['backup', BackupFile]
  | readonly ['canary']
  | readonly ['closed', Counts]

export type SavedEntry = readonly ['saved', number, sha256: string, at: number, Marks]

export type Counts = Readonly<Record<Status | 'left', number>>
