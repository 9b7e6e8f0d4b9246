import type { Clock } from '../host.ts'

/** Holds everyone back while the service asks for it. */
export interface Pause {
  /** Resolves when the gate is open; rejects with the signal's reason when it is aborted before. */
  pass(): Promise<void>
  isOpen(): boolean
  /** Closes the gate for `ms` from now, unless it stays closed for as long anyway; says whether it had to. */
  close(ms: number): boolean
}

export function createPause(clock: Clock, signal: AbortSignal): Pause {
  let opening: Promise<unknown> | undefined
  /** Decides only whether a wait adds anything: a clock that is set meanwhile must not make one longer. */
  let until = 0

  return {
    async pass() {
      while (opening) await opening
    },
    isOpen: () => opening === undefined,
    close(ms) {
      // Those who were turned away together come back together: one wait is enough for them, give or take a second.
      if (opening && clock.now() + ms <= until + 1000) return false
      until = clock.now() + ms
      const mine = Promise.all([opening, clock.sleep(ms, signal)]).then(() => {
        if (opening === mine) opening = undefined
      })
      mine.catch(() => undefined)
      opening = mine
      return true
    },
  }
}
