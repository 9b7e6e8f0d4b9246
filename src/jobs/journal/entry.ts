/** The lines of a journal. */
import type { BackupFile } from '../backup.ts'
import type { Evidence, OutcomeError, Status } from '../outcome.ts'
import type { Marks } from '../undo/marks.ts'

/**
 * Times are in ms since 1970.
 * - `may-send`: the targets before this one may be sent from now on; it is on disk before the first of them is.
 * - `saved`: the SHA-256 of the record in the backup, the time, and marks of what is set then; before the target is sent.
 * - a status: how a target ended; the last one counts. `true` behind a failure: the service may have done it all the same;
 *   behind a time: the service has only accepted it.
 * - `accepted`: the service has only accepted one request of several, and when; before the next one is sent.
 * - `sent`: written at the end of a run for a target that has no answer.
 * - `unsent`: the service surely did nothing.
 * - `found`: what a line of a list stood for, and when; earlier versions kept no time.
 * - `backup`: the file in which a resume saves records, where it is another one than before.
 * - `canary`: as many targets as the canary asks for were deleted, read again, and are gone.
 * - `closed`: the run has ended, with so many targets of each status.
 */
export type Entry =
  | readonly ['may-send', number]
  | readonly ['sent' | 'unsent', number]
  | SavedEntry
  | readonly ['accepted', number, at: number]
  | readonly ['deleted' | 'updated' | 'gone', number, Evidence, number, isAccepted?: true]
  | readonly ['failed', number, OutcomeError, boolean, number]
  | FoundEntry
  | readonly ['backup', BackupFile]
  | readonly ['canary']
  | readonly ['closed', Counts]

/** The ids of a line of a list, none for nobody; or that its e-mail is there in other upper and lower case only. */
export type FoundLine = readonly string[] | 'other-case'

export type FoundEntry = readonly ['found', number, FoundLine, at?: number]

export type SavedEntry = readonly ['saved', number, sha256: string, at: number, Marks]

export type Counts = Readonly<Record<Status | 'left', number>>
