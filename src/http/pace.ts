import type { Clock } from '../host.ts'
import type { Parsed } from '../values/kinds.ts'
import { rate } from '../values/rate.ts'

export interface Pacing {
  /** Milliseconds from one turn to the next. */
  readonly per: number
  readonly clock: Clock
  /** Ends a wait; its reason is what the turn rejects with. */
  readonly signal: AbortSignal
}

/** Resolves when it is the caller's turn to send. */
export type Turn = () => Promise<void>

/** Gives out turns one by one, evenly spaced; time in which nobody came is not made up for by a burst. */
export function pace({ per, clock, signal }: Pacing): Turn {
  let free = 0
  let waiting = 0
  return async () => {
    const now = clock.now()
    // Nobody waits for longer than the queue before them takes, whatever the clock was set to meanwhile.
    const turn = Math.min(Math.max(now, free), now + per * (waiting + 1))
    free = turn + per
    if (turn <= now) return
    waiting++
    try {
      await clock.sleep(turn - now, signal)
    } finally {
      waiting--
    }
  }
}

/** Reads a rate such as `10/s`, `240/m` or `1200/h` as the milliseconds from one request to the next. */
export function parseRate(text: string): Parsed<{ readonly every: number }> {
  const parsed = rate.parse(text)
  return 'value' in parsed ? { value: { every: parsed.value } } : parsed
}
