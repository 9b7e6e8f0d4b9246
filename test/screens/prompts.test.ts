/** Every kind of question, while it is asked and when it has been answered. */
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ctrlC, ctrlD, hasTerminal, openTerminal } from '../process/terminal.ts'
import { gallery } from './gallery.ts'
import { type Shop, startShop } from './shop.ts'

const look = gallery('prompts')
let shop: Shop
beforeEach(async () => {
  shop = await startShop()
})
afterEach(() => shop.close())

const kinds: readonly (readonly [title: string, argv: readonly string[], question: string, right: string])[] = [
  ['y or n', ['persons', 'delete', '5'], '[y/N] ', 'y'],
  ['a count', ['persons', 'delete', '2', '6', '404', '4'], 'Type 4 to delete 4 persons: ', '4'],
  ['the name of a project', ['projects', 'delete', '1'], 'Type its name to delete it: ', 'Juniper & Quill'],
]

describe.runIf(hasTerminal)('at a terminal (skipped where util-linux has no script to make one)', () => {
  for (const columns of [60, 100]) {
    test.each(kinds)(`%s, at ${columns} columns`, async (title, argv, question, right) => {
      const terminal = openTerminal(argv, shop.env, { columns })
      await terminal.shows(question)
      look(`${title}, asked, ${columns} columns`, terminal.screen(), columns)
      shop.answer(4)
      terminal.type(`${right}\r`)
      expect(await terminal.ended).toBe(0)
      look(`${title}, answered, ${columns} columns`, terminal.screen(), columns)
    })
  }

  test.each(kinds)('%s: an answer that does not go on, Ctrl-D and Ctrl-C', async (title, argv, question) => {
    for (const [what, keys, code] of [
      ['declined', 'no\r', 10],
      ['Ctrl-D', ctrlD, 10],
      ['Ctrl-C', ctrlC, 130],
    ] as const) {
      const terminal = openTerminal(argv, shop.env, {})
      await terminal.shows(question)
      terminal.type(keys)
      expect(await terminal.ended).toBe(code)
      look(`${title}, ${what}`, terminal.screen(), 80)
    }
  })

  test('a filter, which a shell may have cut: --property orders>20 without quotes is orders', async () => {
    const filters = ['--property', 'email', '--where', 'properties.plan!=f\u0007ee', '--search', '@example.com']
    const terminal = openTerminal(['--sandbox', 'persons', 'delete', ...filters], shop.env, {})
    await terminal.shows('Type ')
    look('a filter', terminal.screen(), 80)
    terminal.type('no\r')
    expect(await terminal.ended).toBe(10)
  })

  const adding = () => ['profiles', 'add', 'prod', '--base-url', shop.url, '--project', '1']

  test('a key is not shown', async () => {
    const config = mkdtempSync(join(tmpdir(), 'analytics-screens-'))
    // Wide enough for the folder, whatever its name is on this machine.
    const terminal = openTerminal(adding(), { ANALYTICS_CONFIG_DIR: config }, { columns: 200 })
    await terminal.shows('API key (not shown):')
    look('a key, asked', terminal.screen(), 200)
    terminal.type('secret-key\r')
    expect(await terminal.ended).toBe(0)
    look('a key, answered', terminal.screen().replaceAll(config, '~'), 200)
  })

  test('Ctrl-C at a key leaves a clean line, no profile, and a terminal that shows what is typed', async () => {
    const config = mkdtempSync(join(tmpdir(), 'analytics-screens-'))
    const terminal = openTerminal(adding(), { ANALYTICS_CONFIG_DIR: config }, { redirect: '; stty -a' })
    await terminal.shows('API key (not shown):')
    terminal.type(`half${ctrlC}`)
    await terminal.ended
    const [before = '', after] = terminal.screen().split(/\nspeed /)
    look('a key, Ctrl-C', before, 80)
    expect(after).toMatch(/ icanon .*(?:\n.*)* echo /)
    expect(existsSync(join(config, 'config.json'))).toBe(false)
  })
})
