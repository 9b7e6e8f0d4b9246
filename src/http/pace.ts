import type { Clock } from '../host.ts'
import type { Request } from './message.ts'

interface PaceOptions {
  readonly per: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Takes no turn and resolves to false if the turn comes after the time that is left. */
export type Turn = (request: Pick<Request, 'left' | 'afterInterrupt'>) => Promise<boolean>

/** Turns come at an even pace; unused turns expire, so that no burst follows idle time. */
export function pace({ per, clock, signal }: PaceOptions): Turn {
  let free = 0
  return async ({ left = () => Infinity, afterInterrupt }) => {
    const now = clock.elapsed()
    const turn = Math.max(now, free)
    const wait = turn - now
    if (wait > 0 && wait > left()) return false
    free = turn + per
    if (wait > 0) await clock.sleep(wait, afterInterrupt ? undefined : signal)
    return true
  }
}
