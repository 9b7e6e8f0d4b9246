/** What the engine writes while it works: what may be sent before it is sent, and what became of it. */
import type { Entry, JobState } from './job-state.ts'

export interface Journal {
  readonly state: JobState
  /**
   * Resolves when it is on disk that the target may have been sent. Rejects with `UnavailableError` where the disk does
   * not take it, with `RefusedError` where another process has taken over the job: then nothing may be sent.
   */
  begin(target: number): Promise<void>
  write(entry: Entry): Promise<void>
  /** Written with whatever is written next, at the latest in the next turn. */
  note(entry: Entry): void
  close(): void
}

/** The journal of a run that is not kept: a single target, a dry run. */
export function memoryJournal(state: JobState): Journal {
  const note = (entry: Entry) => state.apply(entry)
  return { state, note, begin: async () => undefined, write: async entry => note(entry), close: () => undefined }
}
