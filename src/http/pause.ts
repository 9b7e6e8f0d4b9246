import type { Clock } from '../host.ts'

interface Pause {
  /** Resolves to false at once if the pause is longer than the time that is left. */
  pass(left?: () => number): Promise<boolean>
  isOpen(): boolean
  close(ms: number): boolean
}

export function createPause(clock: Clock, signal: AbortSignal): Pause {
  let opening: Promise<unknown> | undefined
  let until = 0

  return {
    async pass(left = () => Infinity) {
      while (opening) {
        if (until - clock.elapsed() > left()) return false
        await opening
      }
      return true
    },
    isOpen: () => opening === undefined,
    close(ms) {
      // Requests that were refused at the same time share one pause.
      if (opening && clock.elapsed() + ms <= until + 1000) return false
      until = clock.elapsed() + ms
      const mine = Promise.all([opening, clock.sleep(ms, signal)]).then(() => {
        if (opening === mine) opening = undefined
      })
      mine.catch(() => undefined)
      opening = mine
      return true
    },
  }
}
