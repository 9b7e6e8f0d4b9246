import type { Clock } from '../host.ts'
import type { Request } from './message.ts'

interface PacerOptions {
  /** Milliseconds between two requests, if the user limits the rate. */
  readonly interval: number | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface Pacer {
  /** Takes no turn and resolves to false if the turn comes after the time that is left. */
  turn(request: Pick<Request, 'left' | 'afterInterrupt'>): Promise<boolean>
  /** Milliseconds between two requests at the rate in force; undefined if nothing limits it. */
  interval(): number | undefined
}

/** Turns come at an even pace; unused turns expire, so that no burst follows idle time. */
export function createPacer({ interval, clock, signal }: PacerOptions): Pacer {
  let free = 0
  return {
    async turn({ left = () => Infinity, afterInterrupt }) {
      if (interval === undefined) return true
      const now = clock.elapsed()
      const turn = Math.max(now, free)
      const wait = turn - now
      if (wait > 0 && wait > left()) return false
      free = turn + interval
      if (wait > 0) await clock.sleep(wait, afterInterrupt ? undefined : signal)
      return true
    },
    interval: () => interval,
  }
}
