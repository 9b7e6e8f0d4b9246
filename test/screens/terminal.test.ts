/** The line that moves, colours and questions at a real terminal, and what is left of them. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { ctrlC, enter, hasTerminal, openTerminal, type Window } from '../process/terminal.ts'
import { gallery } from './gallery.ts'
import { type Shop, startShop } from './shop.ts'

needsPosix('a terminal')

const look = gallery('terminal')
let shop: Shop
beforeEach(async () => {
  shop = await startShop()
})

const twelve = Array.from({ length: 12 }, (_, i) => String(i + 1))
const deleting = ['persons', 'delete', ...twelve, '--yes', '--concurrency', '1']
const moving = /[⠋-⠿]/

type Env = Readonly<Record<string, string>>

function begin(argv: readonly string[], window: Window = {}, env: Env = {}) {
  return openTerminal(argv, { ...shop.env, ...env }, window)
}

describe.runIf(hasTerminal)('at a terminal (skipped where util-linux has no script to make one)', () => {
  test.each([60, 100])('the line of a run grows, and leaves nothing behind, at %i columns', async columns => {
    const terminal = begin(deleting, { columns })
    look(`a run, ${columns} columns, before the first answer`, await terminal.shows('0 of 12'), columns)
    shop.answer(5)
    look(`a run, ${columns} columns, after five`, await terminal.shows('5 of 12'), columns)
    shop.answer(1, 400)
    look(`a run, ${columns} columns, after one that failed`, await terminal.shows('6 of 12, 1 f'), columns)
    shop.answer(6)
    expect(await terminal.ended).toBe(8)
    look(`a run, ${columns} columns, at the end`, terminal.screen(), columns)
  })

  test('output appears above the spinner, and Ctrl-C ends the wait on a clean line', async () => {
    const terminal = begin(deleting)
    shop.answer(3)
    await terminal.shows('3 of 12')
    shop.turnAway(60)
    await terminal.shows(/asks to wait[\s\S]*\n[⠋-⠿].* 3 of 12/)
    terminal.type(`x${enter}${ctrlC}`)
    expect(await terminal.ended).toBe(130)
    expect(terminal.screen()).not.toMatch(moving)
    expect(terminal.screen()).toMatch(/^Resume with: analytics jobs resume \S+\nInterrupted\.$/m)
  })

  test.each(['ndjson', 'csv', 'ids', 'json'])('outcomes in %s stand above it, each on its own line', async format => {
    const terminal = begin(['persons', 'delete', '1', '2', '3', '--yes', '--concurrency', '1', '-o', format])
    shop.answer(2)
    // In JSON the last row waits for the next one, which tells whether a comma follows.
    const first = format === 'json' ? /"id": "1"[\s\S]*\},\n[⠋-⠿] .* 2 of 3/ : /\b2\b.*\n[⠋-⠿] .* 2 of 3/
    await terminal.shows(first)
    shop.answer(1)
    expect(await terminal.ended).toBe(0)
    look(`outcomes, ${format}`, terminal.screen(), 80)
  })

  test.each<[string, Env, number]>([
    ['TERM=dumb', { TERM: 'dumb' }, 80],
    ['CI=1', { CI: '1', NO_COLOR: '1' }, 80],
    ['no columns', {}, 0],
  ])('where nothing can move (%s) nothing does', async (_, env, columns) => {
    const terminal = begin(deleting, { columns }, env)
    shop.answer(12)
    expect(await terminal.ended).toBe(0)
    expect(terminal.bytes()).not.toMatch(/[\u001b━]/)
  })

  test('progress is on stderr, never in redirected data', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'analytics-screens-')), 'out')
    const terminal = begin([...deleting, '-o', 'ids'], { redirect: `>${file}` })
    shop.answer(2)
    await terminal.shows('2 of 12')
    shop.answer(10)
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).not.toMatch(moving)
    expect(readFileSync(file, 'utf8')).toBe(twelve.map(id => `${id}\n`).join(''))
  })

  test('the spinner appears after a second and makes way for a prompt', async () => {
    shop.hold()
    const terminal = begin(['projects', 'delete', '1'])
    await terminal.shows(/^[⠋-⠿] Waiting for the server, \d+ s$/)
    shop.release()
    expect(await terminal.shows('Type its name to confirm: ')).not.toMatch(moving)
    terminal.type(`no${enter}`)
    expect(await terminal.ended).toBe(10)
    expect(terminal.screen()).not.toMatch(moving)
  })

  test.each([60, 100])('a question, and its answer, at %i columns', async columns => {
    const terminal = begin(['persons', 'delete', '2', '5', '404', '4'], { columns })
    expect(await terminal.shows('Type 4 to confirm: ')).not.toMatch(moving)
    shop.answer(4)
    terminal.type(`4${enter}`)
    expect(await terminal.ended).toBe(0)
    look(`a question and its answer, ${columns} columns`, terminal.screen(), columns)
  })

  test('--quiet prints no progress', async () => {
    shop.hold()
    const terminal = begin(['persons', 'get', '1', '--quiet', '--timeout', '2', '--retries', '0'])
    expect(await terminal.ended).toBe(7)
    expect(terminal.bytes()).not.toMatch(moving)
  })

  test.each<[string, Env, boolean]>([
    ['as it comes', {}, true],
    ['with NO_COLOR', { NO_COLOR: '1' }, false],
    ['with TERM=dumb', { TERM: 'dumb' }, false],
  ])('a terminal %s', async (_, env, colored) => {
    for (const argv of [
      ['persons', 'list'],
      ['persons', 'get', '404'],
    ]) {
      const terminal = begin(argv, {}, env)
      await terminal.ended
      expect([argv, /\u001b\[[\d;]+m/.test(terminal.bytes())]).toEqual([argv, colored])
    }
  })
})
