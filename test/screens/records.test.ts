/** Records, differences and what goes wrong, as they stand in windows of 60 and 100 columns. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cells } from '../../src/text/cells.ts'
import { hasTerminal, openTerminal, type Window } from '../process/terminal.ts'
import { newWorld } from '../world.ts'
import { gallery } from './gallery.ts'
import { screenOf } from './screen.ts'
import { type Shop, startShop } from './shop.ts'

const look = gallery('records')
let shop: Shop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(() => shop.close())

async function see(argv: readonly string[], window: Window = {}, env: Readonly<Record<string, string>> = {}) {
  const terminal = openTerminal(argv, { ...shop.env, ...env }, { cwd, ...window })
  const code = await terminal.ended
  return { screen: terminal.screen(), bytes: terminal.bytes(), code }
}

const settings = `name: 山田書店
timezone: Europe/Berlin
anonymize_ips: true
app_urls: [https://shop.example.com, https://a-much-longer-name-of-a-host.example.com/with/a/path]
`

const cwd = mkdtempSync(join(tmpdir(), 'analytics-screens-'))
writeFileSync(join(cwd, 'settings.yaml'), settings)

const shown: readonly (readonly [title: string, argv: readonly string[], code: number])[] = [
  ['persons list', ['persons', 'list'], 0],
  ['persons list --fields', ['persons', 'list', '--fields', 'properties.name,id,properties.note', '--limit', '7'], 0],
  ['persons get 5', ['persons', 'get', '5'], 0],
  ['persons get 6', ['persons', 'get', '6'], 0],
  ['projects diff', ['projects', 'diff', '-f', 'settings.yaml'], 9],
  ['a person who is not there', ['persons', 'get', '404'], 3],
  ['what the service says of a refusal', ['persons', 'get', '400'], 5],
  ['a mistyped option', ['persons', 'list', '--serach', 'ada'], 2],
  ['a field that never came', ['persons', 'list', '--limit', '2', '--fields', 'id,nmae'], 0],
  ['a deletion that nobody may confirm', ['persons', 'delete', '1', '2', '--no-input'], 10],
]

describe.each([60, 100])('at %i columns', columns => {
  test.each(shown)('%s', async (title, argv, code) => {
    const world = newWorld()
    writeFileSync(join(world.folder, 'settings.yaml'), settings)
    const { written, code: ended } = await world.run(argv, { env: shop.env, columns })
    look(`${title}, ${columns} columns`, screenOf([written.replaceAll('\n', '\r\n')], columns), columns)
    expect(ended).toBe(code)
  })
})

describe.runIf(hasTerminal)('at a terminal (skipped where util-linux has no script to make one)', () => {
  test.each(shown)('%s', async (title, argv, code) => {
    const seen = await see(argv)
    look(`${title}, 80 columns`, seen.screen, 80)
    expect(seen.code).toBe(code)
  })

  test.each([
    60, 80, 160,
  ])('no row of a list is wider than %i columns, whatever the names are written in', async columns => {
    const { bytes } = await see(['persons', 'list', '--limit', '7', '--quiet'], { columns }, { NO_COLOR: '1' })
    const rows = bytes.trimEnd().split('\r\n')
    expect(rows).toHaveLength(8)
    expect(rows.filter(row => cells(row) > columns)).toEqual([])
  })

  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['as it comes', {}, true],
    ['with NO_COLOR', { NO_COLOR: '1' }, false],
    ['with TERM=dumb', { TERM: 'dumb' }, false],
  ])('a terminal %s', async (_, env, colored) => {
    for (const argv of [
      ['persons', 'list'],
      ['persons', 'get', '404'],
      ['projects', 'diff', '-f', 'settings.yaml'],
    ]) {
      const { bytes } = await see(argv, {}, env)
      expect([argv, /\u001b\[[\d;]+m/.test(bytes)]).toEqual([argv, colored])
    }
  })

  test('FORCE_COLOR speaks for a pipe as well, and a pipe cuts nothing', async () => {
    const plain = await see(['persons', 'list', '--limit', '7'], { redirect: '| cat' })
    const forced = await see(['persons', 'list', '--limit', '7'], { redirect: '| cat' }, { FORCE_COLOR: '1' })
    expect(plain.bytes).not.toContain('\u001b')
    expect(forced.bytes).toContain('\u001b[1m')
    expect(forced.bytes.replace(/\u001b\[\d+m/g, '')).toBe(plain.bytes)
    expect(plain.bytes).toContain('A name that is longer than any column of a terminal that somebody reads at')
  })
})
