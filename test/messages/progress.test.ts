import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Host } from '../../src/host.ts'
import { createStatusLine } from '../../src/messages/progress.ts'
import { fakeClock } from '../clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function begin(quiet: boolean, setStatusLine?: Host['setStatusLine']) {
  const written: string[] = []
  const stderr = { isTerminal: false, columns: 80, write: (chunk: unknown) => void written.push(String(chunk)) }
  const host = { stderr, clock: fakeClock(), ...(setStatusLine ? { setStatusLine } : {}) }
  return { written, clock: host.clock, progress: createStatusLine(host as unknown as Host, quiet) }
}

const run = { describe: () => '30 of 60', fraction: () => 0.5 }

test('without a terminal a run prints its progress every ten seconds', () => {
  const { written, progress } = begin(false)
  const end = progress.follow(run)
  vi.advanceTimersByTime(9_999)
  expect(written).toEqual([])
  vi.advanceTimersByTime(20_001)
  expect(written).toEqual(['30 of 60\n', '30 of 60\n', '30 of 60\n'])
  end()
  vi.advanceTimersByTime(60_000)
  expect(written).toHaveLength(3)
})

test('--quiet prints nothing', () => {
  const setStatusLine = vi.fn()
  for (const how of [undefined, setStatusLine]) {
    const { written, progress } = begin(true, how)
    progress.wait()
    progress.follow(run)
    vi.advanceTimersByTime(60_000)
    progress.end()
    expect(written).toEqual([])
  }
  expect(setStatusLine).not.toHaveBeenCalled()
})

test('the progress line shows waiting, rows and a run', async () => {
  let shown: (() => string) | undefined
  const { written, clock, progress } = begin(false, line => {
    shown = line
  })
  progress.wait()
  await clock.sleep(2000)
  expect(shown?.()).toBe('Waiting for the server, 2 s')
  progress.count(12_431)
  expect(shown?.()).toBe('12,431 rows, 2 s')
  const end = progress.follow(run)
  expect(shown?.()).toBe('━━━━━━━┄┄┄┄┄┄ 30 of 60')
  end()
  progress.end()
  expect([shown, written]).toEqual([undefined, []])
})
