/** Whatever takes longer than a second shows that it goes on, and leaves nothing behind. */
import { mkdtempSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ctrlC, enter, hasTerminal, openTerminal, type Window } from '../process/terminal.ts'
import { json, startServer, type TestServer } from '../server.ts'

let server: TestServer
/** Answers that are kept back until the test gives them. */
let held: ServerResponse[]
let later: (response: ServerResponse) => void
beforeEach(async () => {
  held = []
  later = response => void held.push(response)
  server = await startServer((_, response) => later(response))
})
afterEach(() => server.close())

const begin = (argv: readonly string[], window: Window = {}) =>
  openTerminal(argv, { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }, window)

const answer = (body: unknown) => json(held.shift() as ServerResponse, body)
const rows = Array.from({ length: 3 }, (_, i) => ({ id: i + 1, name: `Person ${i + 1}` }))

describe.runIf(hasTerminal)('at a terminal (skipped where util-linux has no script to make one)', () => {
  test('an answer that is waited for', async () => {
    const terminal = begin(['persons', 'get', '1', '-o', 'json'])
    await terminal.shows(/^[⠋-⠿] Waiting for the service, \d+ s$/)
    answer(rows[0])
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).not.toMatch(/[⠋-⠿]/)
  })

  test('an export to a file, with the rows that came', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'analytics-screens-')), 'out')
    const terminal = begin(['persons', 'list', '--all', '-o', 'csv'], { redirect: `>${file}` })
    await terminal.shows('Waiting for the service')
    answer({ count: null, next: `${server.url}/api/projects/1/persons/?offset=3`, results: rows })
    await terminal.shows('3 rows, ')
    answer({ count: null, next: null, results: [] })
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toBe('')
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(5)
  })

  test('a wait that the service asks for, while nothing is sent', async () => {
    later = response => {
      response.setHeader('retry-after', '60')
      json(response, { detail: 'Too many.' }, 429)
    }
    const terminal = begin(['persons', 'get', '1'])
    await terminal.shows('The service asks to wait 60 s')
    await terminal.shows(/^[⠋-⠿] Waiting for the service, \d+ s$/m)
    terminal.type(ctrlC)
    expect(await terminal.ended).toBe(130)
    expect(terminal.screen()).not.toMatch(/[⠋-⠿]/)
  })

  test('it makes way for a question', async () => {
    const terminal = begin(['projects', 'delete', '1'])
    await terminal.shows('Waiting for the service')
    later = response => json(response, { id: 1, name: 'Shop' })
    answer({ id: 1, name: 'Shop' })
    const asked = await terminal.shows('Type its name to delete it: ')
    expect(asked).not.toMatch(/[⠋-⠿]/)
    terminal.type(`no${enter}`)
    expect(await terminal.ended).toBe(10)
    expect(terminal.screen()).not.toMatch(/[⠋-⠿]/)
  })

  test('none with --quiet', async () => {
    const terminal = begin(['persons', 'get', '1', '--quiet', '--timeout', '2', '--retries', '0'])
    expect(await terminal.ended).toBe(7)
    expect(terminal.bytes()).not.toMatch(/[⠋-⠿]/)
  })
})
