import type { Clock } from '../host.ts'

/** Holds every request back while the service asks for it. */
export interface Pause {
  pass(): Promise<void>
  isOpen(): boolean
  close(ms: number): boolean
}

export function createPause(clock: Clock, signal: AbortSignal): Pause {
  let opening: Promise<unknown> | undefined
  /** Decides only whether a wait adds anything, since the clock may be set meanwhile. */
  let until = 0

  return {
    async pass() {
      while (opening) await opening
    },
    isOpen: () => opening === undefined,
    close(ms) {
      // Those who were turned away together come back together.
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
