/** Questions at a real terminal: what is asked, what can be seen of the answers, and how to get out. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../server.ts'
import { accepting, writesOf } from '../service.ts'
import { type Env, emptyHome } from './program.ts'
import { atTerminal, backspace, ctrlC, ctrlD, enter, hasTerminal, type Step } from './terminal.ts'

describe.runIf(hasTerminal)('at a terminal (skipped where util-linux has no script to make one)', () => {
  let server: TestServer
  let env: Env
  beforeAll(async () => {
    server = await startServer(accepting)
    env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
  })
  afterAll(() => server.close())

  const deleting = async (argv: readonly string[], steps: readonly Step[]) => {
    const before = server.asked.length
    const seen = await atTerminal(argv, env, steps)
    return { ...seen, deleted: writesOf(server.asked.slice(before)).length }
  }
  const person = ['persons', 'delete', '1']

  test.each([
    ['y', 'y\r', 0, 1],
    ['yes, corrected on the way', `x${backspace}yes\r`, 0, 1],
    ['n', 'n\r', 10, 0],
    ['nothing but enter', enter, 10, 0],
    ['the end of input', ctrlD, 10, 0],
  ])('one person is deleted by y/N: %s', async (_, keys, code, deleted) => {
    const seen = await deleting(person, [['[y/N] ', keys]])
    expect([seen.code, seen.deleted]).toEqual([code, deleted])
    expect(seen.screen).toContain('Deleting person 1 of project 1')
  })

  test('Ctrl-C at a question ends the run with 130, and nothing was done', async () => {
    const seen = await deleting(person, [['[y/N] ', ctrlC]])
    expect([seen.code, seen.deleted]).toEqual([130, 0])
    expect(seen.screen).toContain('Interrupted by SIGINT.')
  })

  test('a project is deleted by its name, which is shown', async () => {
    const wrong = await deleting(['projects', 'delete', '1'], [['Type its name to go on: ', 'Hedgehog\r']])
    expect([wrong.code, wrong.deleted]).toEqual([10, 0])
    const right = await deleting(['projects', 'delete', '1'], [['Type its name to go on: ', 'Hedgehog Press\r']])
    expect([right.code, right.deleted]).toEqual([0, 1])
    expect(right.screen).toContain('name Hedgehog Press')
  })

  test('--no-input never asks, and --yes has no need to', async () => {
    expect(await deleting([...person, '--no-input'], [])).toMatchObject({ code: 10, deleted: 0 })
    expect(await deleting([...person, '--yes'], [])).toMatchObject({ code: 0, deleted: 1 })
  })

  test('a key that is typed cannot be seen, and can be corrected', async () => {
    const home = emptyHome()
    const seen = await atTerminal(['profiles', 'add', 'prod'], { HOME: home }, [
      ['Base URL: ', 'https://analytics.example.com\r'],
      ['Project id (empty: none): ', '42\r'],
      ['API key (not shown): ', `wrong\u0015secret-keX${backspace}y\r`],
    ])
    expect(seen.code).toBe(0)
    expect(seen.screen).toContain('https://analytics.example.com')
    expect(seen.screen).not.toMatch(/secret|wrong/)
    const { profiles } = JSON.parse(readFileSync(join(home, '.config/analytics/config.json'), 'utf8'))
    expect(profiles.prod).toEqual({ baseUrl: 'https://analytics.example.com/', project: '42', apiKey: 'secret-key' })
  })

  test('answers that are pasted all at once answer one question each', async () => {
    const home = emptyHome()
    const pasted = 'https://analytics.example.com\r42\rsecret-key\r'
    const seen = await atTerminal(['profiles', 'add', 'prod'], { HOME: home }, [['Base URL: ', pasted]])
    expect(seen.code).toBe(0)
    expect(existsSync(join(home, '.config/analytics/config.json'))).toBe(true)
  })

  test.each([
    ['Ctrl-C', ctrlC, 130],
    ['Ctrl-D', ctrlD, 10],
  ])('%s at the hidden question leaves no profile', async (_, keys, code) => {
    const home = emptyHome()
    const seen = await atTerminal(
      ['profiles', 'add', 'prod', '--base-url', 'https://a.example.com', '--project', '1'],
      { HOME: home },
      [['API key (not shown): ', `half${keys}`], ...(keys === ctrlD ? ([['', `\u0015${ctrlD}`]] as const) : [])],
    )
    expect([seen.code, existsSync(join(home, '.config/analytics/config.json'))]).toEqual([code, false])
    expect(seen.screen).not.toContain('half')
  })
})
