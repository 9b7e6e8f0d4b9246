import type { JobState } from '../job-state.ts'
import type { JournalEntry } from './entry.ts'

export interface Journal {
  readonly state: JobState
  /** Undefined if the target is already announced on disk. Throws or rejects without disk space or lease. */
  begin(target: number): Promise<void> | undefined
  /** Throws `TakenOverError` if another process works on the job or has finished it. */
  refuseLost(): void
  /** All entries of a turn are written together. */
  write(entry: JournalEntry): Promise<void>
  /** Resolves when the entry is on disk. */
  keep(entry: JournalEntry): Promise<void>
}

/** For runs that are not stored: a dry run, or one target where no job can be made. */
export function memoryJournal(state: JobState): Journal {
  const write = async (entry: JournalEntry) => state.apply(entry)
  return {
    state,
    begin(target) {
      state.begin(target)
      return undefined
    },
    refuseLost: () => undefined,
    write,
    keep: write,
  }
}
