import type { Clock } from '../host.ts'

interface PaceOptions {
  readonly per: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Resolves to false at once where the turn would come later than in what is left; then none is taken. */
export type Turn = (left?: () => number) => Promise<boolean>

/** Gives out turns at an even pace; unused turns are lost, so that no burst follows an idle time. */
export function pace({ per, clock, signal }: PaceOptions): Turn {
  let free = 0
  return async (left = () => Infinity) => {
    const now = clock.elapsed()
    const turn = Math.max(now, free)
    const wait = turn - now
    if (wait > 0 && wait > left()) return false
    free = turn + per
    if (wait > 0) await clock.sleep(wait, signal)
    return true
  }
}
