/** The moving line of a long run, at several moments; everything else that is written makes it go out of the way. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ctrlC, enter, hasTerminal, openTerminal, type Window } from '../process/terminal.ts'
import { gallery } from './gallery.ts'
import { type Shop, startShop } from './shop.ts'

const look = gallery('progress')
let shop: Shop
beforeEach(async () => {
  shop = await startShop()
})
afterEach(() => shop.close())

const twelve = Array.from({ length: 12 }, (_, i) => String(i + 1))
const deleting = ['persons', 'delete', ...twelve, '--yes', '--concurrency', '1']

function begin(more: readonly string[] = [], window: Window = {}, env: Readonly<Record<string, string>> = {}) {
  return openTerminal([...deleting, ...more], { ...shop.env, ...env }, window)
}

describe.runIf(hasTerminal)('at a terminal (skipped where util-linux has no script to make one)', () => {
  test.each([60, 100])('it grows, and leaves nothing behind, at %i columns', async columns => {
    const terminal = begin([], { columns })
    look(`${columns} columns, before the first answer`, await terminal.shows('0 of 12'), columns)
    shop.answer(5)
    look(`${columns} columns, after five`, await terminal.shows('5 of 12'), columns)
    shop.answer(1, 400)
    look(`${columns} columns, after one that failed`, await terminal.shows('6 of 12, 1 f'), columns)
    shop.answer(6)
    expect(await terminal.ended).toBe(8)
    look(`${columns} columns, at the end`, terminal.screen(), columns)
  })

  test('on the console of Linux, which has few signs, it turns as well', async () => {
    const terminal = begin([], {}, { TERM: 'linux' })
    shop.answer(5)
    expect(await terminal.shows('5 of 12')).toMatch(/^[-\\|/] .*5 of 12/m)
    shop.answer(7)
    expect(await terminal.ended).toBe(0)
  })

  test('what the service asks for stands above it, and Ctrl-C ends the wait on a clean line', async () => {
    const terminal = begin()
    shop.answer(3)
    await terminal.shows('3 of 12')
    shop.turnAway(60)
    await terminal.shows('The service asks to wait')
    look('a wait is announced', await terminal.shows('3 of 12'), 80)
    terminal.type(ctrlC)
    expect(await terminal.ended).toBe(130)
    look('Ctrl-C in the wait', terminal.screen(), 80)
  })

  test.each(['ndjson', 'csv', 'ids', 'json'])('outcomes in %s stand above it, each on its own line', async format => {
    const terminal = begin(['-o', format])
    shop.answer(2)
    // The line counts what is recorded, a moment before its row is printed; below an unended row it does not stand.
    // In JSON the last row waits for the next one, which tells whether a comma follows.
    const moment = format === 'json' ? /"1"[\s\S]*},\n[⠋-⠿] .* 2 of 12/ : /\b2\b.*\n[⠋-⠿] .* 2 of 12/
    look(`${format}, after two`, await terminal.shows(moment), 80)
    terminal.type(ctrlC)
    expect(await terminal.ended).toBe(130)
    look(`${format}, interrupted`, terminal.screen(), 80)
  })

  test('in a window of 20 columns the count is what is left of it', async () => {
    const terminal = begin([], { columns: 20 })
    shop.answer(5)
    expect(await terminal.shows('5 of 12')).toMatch(/\n[⠋-⠿] 5 of 12, .{1,9}$/)
    shop.answer(7)
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).not.toMatch(/[⠋-⠿]| of 12/)
  })

  test.each([
    [80, 30, /^[⠋-⠿] 3 of 12/m],
    [60, 33, /^[⠋-⠿] 3 of 12/m],
    [40, 100, /[━┄]{20} 3 of 12/],
  ])('it survives a window that goes from %i to %i columns', async (from, to, drawnAnew) => {
    const terminal = begin([], { columns: from })
    shop.answer(3)
    await terminal.shows('3 of 12')
    terminal.resize(to)
    look(`from ${from} to ${to} columns`, await terminal.shows(drawnAnew), to)
    shop.answer(9)
    expect(await terminal.ended).toBe(0)
    look(`from ${from} to ${to} columns, at the end`, terminal.screen(), to)
  })

  test('enter, typed at it, does not break it', async () => {
    const terminal = begin()
    shop.answer(3)
    await terminal.shows('3 of 12')
    terminal.type(`x${enter}`)
    shop.answer(9)
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toMatch(/^Deleted 12 persons/m)
  })

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['TERM=dumb', { TERM: 'dumb' }, 80],
    ['CI=1', { CI: '1', NO_COLOR: '1' }, 80],
    ['no columns', {}, 0],
  ])('where nothing can move (%s) nothing does', async (what, env, columns) => {
    const terminal = begin([], { columns }, env)
    shop.answer(12)
    expect(await terminal.ended).toBe(0)
    expect(terminal.bytes()).not.toMatch(/[\u001b━]/)
    look(`where nothing can move: ${what}`, terminal.screen(), 80)
  })

  test('NO_COLOR takes the colours away, and FORCE_COLOR forces none upon the moving line', async () => {
    for (const env of [{ NO_COLOR: '1' }, { FORCE_COLOR: '1' }]) {
      const terminal = begin([], {}, env)
      await terminal.shows('0 of 12')
      shop.answer(11)
      shop.answer(1, 400)
      expect(await terminal.ended).toBe(8)
      const [moving = ''] = terminal.bytes().split('deleted')
      expect(moving).not.toMatch(/\u001b\[[\d;]+m/)
      expect(/\u001b\[[\d;]+m/.test(terminal.bytes())).toBe('FORCE_COLOR' in env)
    }
  })

  test('with --quiet there is none', async () => {
    const terminal = begin(['--quiet'])
    shop.answer(12)
    expect(await terminal.ended).toBe(0)
    look('--quiet', terminal.screen(), 80)
  })

  test('it is on stderr: elsewhere that is a file of lines, and the terminal keeps the data', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'analytics-screens-'))
    const file = join(folder, 'err')
    const terminal = begin(['-o', 'ids'], { redirect: `2>${file}` })
    shop.answer(12)
    expect(await terminal.ended).toBe(0)
    look('stderr in a file', terminal.screen(), 80)
    expect(readFileSync(file, 'utf8')).not.toMatch(/[\u001b━]/)
  })

  test('data in a file leaves it alone on the screen', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'analytics-screens-')), 'out')
    const terminal = begin(['-o', 'ids'], { redirect: `>${file}` })
    shop.answer(2)
    look('stdout in a file, after two', await terminal.shows('2 of 12'), 80)
    shop.answer(10)
    expect(await terminal.ended).toBe(0)
    look('stdout in a file, at the end', terminal.screen(), 80)
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(12)
  })

  test('the cursor is never hidden: who stops or kills the program finds it again', async () => {
    const terminal = begin()
    await terminal.shows('0 of 12')
    shop.answer(12)
    await terminal.ended
    expect(terminal.bytes()).not.toContain('\u001b[?25l')
  })
})
