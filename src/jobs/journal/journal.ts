/** What the engine writes: which targets may be sent, and their outcomes. */

import type { JobState } from '../job-state.ts'
import type { Entry } from './entry.ts'

export interface Journal {
  readonly state: JobState
  /**
   * Resolves when the target is announced on disk; undefined where it is already. Throws or rejects where it must not be
   * sent: a full disk, or a lost lease.
   */
  begin(target: number): Promise<void> | undefined
  /** Throws `TakenOverError` where another process works on the job now, or has finished it. */
  refuseLost(): void
  /** Resolves when the entries of this turn are written: one write to the file for all of them. */
  write(entry: Entry): Promise<void>
  /** Resolves when the entry is on disk. */
  keep(entry: Entry): Promise<void>
  /** Written with the next entry, at the latest in the next turn. */
  note(entry: Entry): void
}

/** The journal of a run that is not kept: a single target, or a dry run. */
export function memoryJournal(state: JobState): Journal {
  const note = (entry: Entry) => state.apply(entry)
  const write = async (entry: Entry) => note(entry)
  return {
    state,
    note,
    begin(target) {
      state.begin(target)
      return undefined
    },
    refuseLost: () => undefined,
    write,
    keep: write,
  }
}
