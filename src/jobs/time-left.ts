import type { Clock } from '../host.ts'

/** Milliseconds; 0 or less if the time is over. */
export type TimeLeft = () => number

/** Uses both clocks: one may be set back, and the other may stop while the machine sleeps. */
export function timeLeft(clock: Pick<Clock, 'now' | 'elapsed'>, ms: number): TimeLeft {
  const [now, elapsed] = [clock.now(), clock.elapsed()]
  return () => Math.min(now + ms - clock.now(), elapsed + ms - clock.elapsed())
}
