import { expect, test } from 'vitest'
import type { Output } from '../../src/host.ts'
import { showProgress as show } from '../../src/messages/progress.ts'
import { fakeClock, noon } from '../clock.ts'

function memory(terminal: Pick<Output, 'isTerminal' | 'columns'>) {
  const written: string[] = []
  const stderr: Output = { ...terminal, write: chunk => void written.push(String(chunk)) }
  return { written, stderr }
}

const showProgress = (showing: Omit<Parameters<typeof show>[0], 'share'>) => show({ ...showing, share: () => 0.5 })
const pipe = { isTerminal: false, columns: undefined }

test('elsewhere than at a terminal there is a line every ten seconds', () => {
  const { written, stderr } = memory(pipe)
  const clock = fakeClock()
  let done = 0
  const progress = showProgress({ stderr, clock, quiet: false, describe: () => `${done} of 60` })
  for (done = 1; done <= 60; done++) {
    void clock.sleep(500)
    progress.tick()
  }
  progress.end()
  expect(written).toEqual(['20 of 60\n', '40 of 60\n', '60 of 60\n'])
})

test('a clock that is set does not make it silent, nor speak sooner', () => {
  const { written, stderr } = memory(pipe)
  const clock = fakeClock()
  const progress = showProgress({ stderr, clock, quiet: false, describe: () => 'x' })
  for (const now of [noon - 3_600_000, noon + 3_600_000]) {
    clock.set(now)
    progress.tick()
    void clock.sleep(5000)
    progress.tick()
  }
  expect(written).toHaveLength(1)
})

test('with --quiet there is nothing', () => {
  const { written, stderr } = memory({ isTerminal: true, columns: 80 })
  const clock = fakeClock()
  const progress = showProgress({ stderr, clock, quiet: true, describe: () => 'x' })
  void clock.sleep(60_000)
  progress.tick()
  progress.end()
  expect(written).toEqual([])
})

test('where a line can move it turns, says how far it has come, and is gone at the end', async () => {
  const shown: string[] = []
  const stderr: Output = {
    isTerminal: true,
    columns: 80,
    write: () => undefined,
    statusLine: line => void shown.push(line),
  }
  let text = '1 of 2'
  const progress = showProgress({ stderr, clock: fakeClock(), quiet: false, describe: () => text })
  await expect.poll(() => shown[0]).toBe('⠋ ━━━━━━━━━━┄┄┄┄┄┄┄┄┄┄ 1 of 2')
  text = '2 of 2'
  await expect.poll(() => shown.at(-1)).toContain('2 of 2')
  expect(new Set(shown).size).toBeGreaterThan(1)
  progress.end()
  expect(shown.at(-1)).toBe('')
})

test('a terminal where none can gets lines', () => {
  const { written, stderr } = memory({ isTerminal: true, columns: undefined })
  const clock = fakeClock()
  const progress = showProgress({ stderr, clock, quiet: false, describe: () => '1 of 2' })
  void clock.sleep(11_000)
  progress.tick()
  progress.end()
  expect(written).toEqual(['1 of 2\n'])
})
