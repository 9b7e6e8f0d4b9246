import type { Clock } from '../../host.ts'
import { type TimeLeft, timeLeft } from '../../jobs/time-left.ts'

/** Milliseconds after a read in which a missing object is taken to have been deleted by this run. */
export const recent = 60_000

/** Objects that this run has read just now: these were there. */
export interface Reads {
  note(id: string): void
  isRecent(id: string): boolean
}

/** `all`: what is left of the minute after the whole list of targets was read. */
export function createReads(clock: Pick<Clock, 'now' | 'elapsed'>, all: TimeLeft = () => 0): Reads {
  const each = new Map<string, TimeLeft>()
  return {
    note: id => void each.set(id, timeLeft(clock, recent)),
    isRecent: id => all() > 0 || (each.get(id)?.() ?? 0) > 0,
  }
}
