import type { Clock } from '../../host.ts'
import { type TimeLeft, timeLeft } from '../../jobs/time-left.ts'

/** Milliseconds after a read in which a missing object is taken to have been deleted by this run. */
export const recent = 60_000

/** Objects that this run has read just now: these were there. */
export interface Reads {
  note(id: string): void
  /** Notes all targets; `left`: since before they were read. */
  noteAll(left: TimeLeft): void
  isRecent(id: string): boolean
}

export function createReads(clock: Pick<Clock, 'now' | 'elapsed'>): Reads {
  const each = new Map<string, TimeLeft>()
  let all: TimeLeft = () => 0
  return {
    note: id => void each.set(id, timeLeft(clock, recent)),
    noteAll(left) {
      all = left
    },
    isRecent: id => all() > 0 || (each.get(id)?.() ?? 0) > 0,
  }
}
