import type { Clock } from '../src/host.ts'

export interface FakeClock extends Clock {
  /** How long each sleep was asked to last, in ms. */
  readonly sleeps: number[]
  /** Sets the time. Sleeps are not affected. */
  set(now: number): void
}

/** Noon of a Friday, two days before the weekly batch. */
export const noon = Date.UTC(2026, 4, 15, 12)

/** A clock whose sleeps end at once and move it forward. */
export function fakeClock(): FakeClock {
  const sleeps: number[] = []
  let now = noon
  let slept = 0
  return {
    sleeps,
    now: () => now,
    elapsed: () => slept,
    set: time => {
      now = time
    },
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      sleeps.push(ms)
      now += ms
      slept += ms
    },
  }
}

export interface StoppedClock extends FakeClock {
  /** Moves the clock, and resolves when all whose sleep ended have continued. */
  pass(ms: number): Promise<void>
}

/** A clock that moves only when the test says so. */
export function stoppedClock(): StoppedClock {
  const sleeps: number[] = []
  let asleep: { end: number; wake: () => void }[] = []
  let offset = noon
  let passed = 0
  return {
    sleeps,
    now: () => offset + passed,
    elapsed: () => passed,
    set: time => {
      offset = time - passed
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        sleeps.push(ms)
        const stop = () => reject(signal?.reason)
        const wake = () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        asleep.push({ end: passed + ms, wake })
        signal?.addEventListener('abort', stop, { once: true })
      }),
    async pass(ms) {
      passed += ms
      const awake = asleep.filter(({ end }) => end <= passed)
      asleep = asleep.filter(({ end }) => end > passed)
      for (const { wake } of awake) wake()
      await turn()
    },
  }
}

/** Resolves when everything that need not wait is done. */
export function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
