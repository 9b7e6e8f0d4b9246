/** How long a run may still begin something new. */
import { PartialError, stoppedHint } from '../errors.ts'
import type { Clock } from '../host.ts'

/** In ms; of a time that is over, 0 or less. */
export type TimeLeft = () => number

/** Ends after so many ms by either clock: one may be set back, and the other may stand still while the machine sleeps. */
export function timeLeft(clock: Clock, ms: number | undefined): TimeLeft | undefined {
  if (ms === undefined) return undefined
  const [now, elapsed] = [clock.now(), clock.elapsed()]
  return () => Math.min(now + ms - clock.now(), elapsed + ms - clock.elapsed())
}

export function refuseTooLate(left: TimeLeft | undefined): void {
  if (left === undefined || left() > 0) return
  throw new PartialError('Stopped at --max-duration', { hint: stoppedHint })
}
