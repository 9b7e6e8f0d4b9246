import type { Clock } from '../host.ts'

interface PaceOptions {
  readonly per: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Resolves to false at once where the turn would come later than `until`; then none is taken. */
export type Turn = (until?: number) => Promise<boolean>

/** Gives out turns at an even pace; unused turns are lost, so that no burst follows an idle time. */
export function pace({ per, clock, signal }: PaceOptions): Turn {
  let free = 0
  let waiting = 0
  return async (until = Infinity) => {
    const now = clock.now()
    // The clock of the machine may be set at any time.
    const turn = Math.min(Math.max(now, free), now + per * (waiting + 1))
    if (turn > now && turn > until) return false
    free = turn + per
    if (turn <= now) return true
    waiting++
    try {
      await clock.sleep(turn - now, signal)
    } finally {
      waiting--
    }
    return true
  }
}
