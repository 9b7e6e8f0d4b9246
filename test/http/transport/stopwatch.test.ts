/** A request may wait for the time allowed: not less, and at most one check more. */

import { expect, test } from 'vitest'
import { Stopwatch, ticks } from '../../../src/http/transport/stopwatch.ts'
import * as fc from '../../fast-check.ts'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

/** Checks until the time has expired; at most so many. */
async function countChecks(stopwatch: Stopwatch, most: number): Promise<number> {
  for (let count = 1; count <= most; count++) {
    let expired = false
    stopwatch.check(() => {
      expired = true
    })
    await nextTurn()
    if (expired) return count
  }
  return Number.POSITIVE_INFINITY
}

test('a request that waits all the time expires at the first check after the time allowed', async () => {
  const stopwatch = new Stopwatch()
  stopwatch.start()
  expect(await countChecks(stopwatch, 10 * ticks)).toBe(ticks + 1)
})

test('only the time spent waiting counts, over all waits together', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(ticks - 1), { maxLength: 5 }), fc.nat(50), async (waits, between) => {
      const stopwatch = new Stopwatch()
      let left = ticks
      for (const wait of waits) {
        const waited = Math.min(wait, left)
        stopwatch.start()
        expect(await countChecks(stopwatch, waited)).toBe(Number.POSITIVE_INFINITY)
        stopwatch.stop()
        left -= waited
        expect(await countChecks(stopwatch, between)).toBe(Number.POSITIVE_INFINITY)
      }
      stopwatch.start()
      expect(await countChecks(stopwatch, 10 * ticks)).toBe(left + 1)
    }),
    { numRuns: 50 },
  )
})

test('an answer that is read in the same turn as the last check is in time', async () => {
  const stopwatch = new Stopwatch()
  stopwatch.start()
  await countChecks(stopwatch, ticks)
  let expired = false
  stopwatch.check(() => {
    expired = true
  })
  stopwatch.stop()
  stopwatch.start()
  await nextTurn()
  expect(expired).toBe(false)
})
