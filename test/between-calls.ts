/** Runs the work of other processes between any two system calls of this one. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Call = (...given: unknown[]) => unknown

/** `others` is called before each call that `work` makes, with its number from 1. Returns the number of calls. */
export function between(others: (call: number) => void, work: () => void): number {
  const calls = Object.entries(fs).filter(([name]) => name.endsWith('Sync')) as [string, Call][]
  const own = Object.fromEntries(calls)
  const failures: unknown[] = []
  let count = 0
  const use = (changed: object) => {
    Object.assign(fs, changed)
    syncBuiltinESMExports()
  }
  const interrupted = (call: Call): Call => {
    return (...given) => {
      if (failures.length > 0) return call(...given)
      count += 1
      // The work of others is not interrupted.
      use(own)
      try {
        others(count)
        use(all)
      } catch (error) {
        // Thrown later: `work` might retry.
        failures.push(error)
      }
      return call(...given)
    }
  }
  const all = Object.fromEntries(calls.map(([name, call]) => [name, interrupted(call)]))
  use(all)
  try {
    work()
  } finally {
    use(own)
  }
  if (failures.length > 0) throw failures[0]
  return count
}

/** Runs the story once alone, then once per call with the others before that call. Returns the number of calls. */
export function atEachCall(story: (isNow: (call: number) => boolean) => number): number {
  const calls = story(() => false)
  if (calls === 0) throw new Error('The story makes no call')
  for (let at = 1; at <= calls; at += 1) story(call => call === at)
  return calls
}
