/** Prompts at a real terminal: what is shown, what can be seen of the answers, and how to cancel. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needsPosix } from '../posix.ts'
import { type Asked, json, serve, startServer, type TestServer } from '../server.ts'
import { accepting, writesOf } from '../service.ts'
import { type Env, emptyHome } from './program.ts'
import { atTerminal, backspace, ctrlC, ctrlD, enter, hasTerminal, openTerminal, type Step } from './terminal.ts'

needsPosix('a terminal')

describe.runIf(hasTerminal)('at a terminal (skipped where util-linux has no script to make one)', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer(accepting)
  })
  afterAll(() => server.close())

  const deleting = async (argv: readonly string[], steps: readonly Step[]) => {
    const before = server.asked.length
    const seen = await atTerminal(argv, server.env, steps)
    return { ...seen, deleted: writesOf(server.asked.slice(before)).length }
  }
  const person = ['persons', 'delete', '1']

  test.each([
    ['yes, corrected with backspace', `x${backspace}yes\r`, 0, 1],
    ['enter alone', enter, 10, 0],
    ['the end of input', ctrlD, 10, 0],
  ])('one person is deleted by y/N: %s', async (_, keys, code, deleted) => {
    const seen = await deleting(person, [['[y/N] ', keys]])
    expect([seen.code, seen.deleted]).toEqual([code, deleted])
    expect(seen.screen).toContain('This will delete person 1 of project 1')
  })

  test('without stderr on the terminal there is no prompt, since it could not be seen', async () => {
    const before = server.asked.length
    const log = join(emptyHome(), 'log')
    const terminal = openTerminal(person, server.env, { redirect: `2>'${log}'` })
    terminal.type('y\r')
    expect([await terminal.ended, server.asked.length - before]).toEqual([10, 0])
    expect(readFileSync(log, 'utf8')).toContain('stderr is not a terminal')
  })

  test.each([
    ['several lines', 'y\ry\r\r', 'n\r'],
    ['a line without enter', 'y', enter],
  ])('what was typed before the prompt is no answer: %s', async (_, before, answer) => {
    const held: ServerResponse[] = []
    const slow = await serve((asked, response) => {
      if (held.push(response) > 1) accepting(asked, response)
    })
    const terminal = openTerminal(person, slow.env, {})
    await terminal.shows('Waiting for the server')
    terminal.type(before)
    await terminal.shows('y')
    accepting(slow.asked[0] as Asked, held[0] as ServerResponse)
    await terminal.shows('[y/N] ')
    terminal.type(answer)
    expect(await terminal.ended).toBe(10)
    expect(writesOf(slow.asked)).toEqual([])
  })

  test('16 KB of lines before the prompt confirm nothing', async () => {
    const before = server.asked.length
    const terminal = openTerminal(person, server.env, {})
    terminal.type('y\r'.repeat(8192))
    await terminal.shows('[y/N] ')
    terminal.type('n\r')
    expect([await terminal.ended, writesOf(server.asked.slice(before))]).toEqual([10, []])
  })

  test('input that never stops confirms nothing, and no prompt is shown', async () => {
    const before = server.asked.length
    const stop = join(emptyHome(), 'stop')
    // `script` ends only when its input pauses, so `yes` ends with the message, or after a minute.
    const typist = `{ yes & for i in $(seq 600); do [ -e '${stop}' ] && break; sleep 0.1; done; kill $!; }`
    const terminal = openTerminal(person, server.env, { typist })
    await terminal.shows('kept arriving')
    writeFileSync(stop, '')
    expect([await terminal.ended, writesOf(server.asked.slice(before))]).toEqual([10, []])
    expect(terminal.bytes()).not.toContain('[y/N]')
  })

  test('Ctrl-C at a prompt ends the run with 130, and nothing was done', async () => {
    const seen = await deleting(person, [['[y/N] ', ctrlC]])
    expect([seen.code, seen.deleted]).toEqual([130, 0])
    expect(seen.screen).toContain('Interrupted.')
  })

  test('after a stop and fg the prompt is shown again', async () => {
    const terminal = openTerminal(person, server.env, { stoppable: true })
    await terminal.shows('[y/N] ')
    terminal.stop()
    await terminal.shows(/\[y\/N\].*\[y\/N\]/s)
    terminal.type('n\r')
    expect(await terminal.ended).toBe(10)
  })

  test('a key stays hidden after a stop and fg', async () => {
    const terminal = openTerminal(['profiles', 'add', 'prod', '--base-url', server.url], {}, { stoppable: true })
    await terminal.shows('API key')
    terminal.stop()
    await terminal.shows(/API key.*API key/s)
    terminal.type('phx_unseen\r')
    await terminal.shows('Project')
    expect(terminal.bytes()).not.toContain('phx_unseen')
    terminal.type(ctrlC)
    expect(await terminal.ended).toBe(130)
  })

  /** `profiles add prod` in a home of its own, with what it left there. */
  const adding = async (steps: readonly Step[], words: readonly string[] = [], more: Env = {}) => {
    const home = emptyHome()
    const seen = await atTerminal(['profiles', 'add', 'prod', ...words], { HOME: home, ...more }, steps)
    const file = join(home, '.config/analytics/config.json')
    return { ...seen, home, stored: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined }
  }
  const setup = (...rest: readonly Step[]): readonly Step[] => [
    ['Base URL: ', `${server.url}\r`],
    ['API key (not shown): ', `wrong\u0015secret-keX${backspace}y\r`],
    ...rest,
  ]

  test('profiles add prompts for a hidden key, which can be corrected, and a project from a list', async () => {
    const seen = await adding(setup(['Hedgehog Press', ''], ['Project id (empty: none): ', `3${backspace}2\r`]))
    expect(seen.code).toBe(0)
    expect(seen.screen).not.toMatch(/secret|wrong/)
    expect(seen.screen).toContain(`to ${seen.home}/.config/analytics/config.json\r\n`)
    expect(seen.stored).toEqual({
      current: 'prod',
      profiles: { prod: { baseUrl: server.url, project: '2', apiKey: 'secret-key' } },
    })
    expect(server.asked.at(-1)?.headers.authorization).toBe('Bearer secret-key')
  })

  test.each([
    ['Ctrl-C', ctrlC, 130],
    ['Ctrl-D', ctrlD, 10],
  ])('%s at any prompt leaves no profile', async (_, keys, code) => {
    const hidden = keys === ctrlD ? ([['', `\u0015${ctrlD}`]] as const) : []
    for (const steps of [
      [['Base URL: ', keys]],
      [['Base URL: ', `${server.url}\r`], ['API key (not shown): ', `half${keys}`], ...hidden],
      setup(['Project id (empty: none): ', keys]),
    ] as const) {
      const seen = await adding(steps)
      expect([seen.code, seen.stored]).toEqual([code, undefined])
      expect(seen.screen).not.toMatch(/half|secret/)
    }
  })

  test('a key that was refused, or not tried to the end, is not stored', async () => {
    const refusing = await serve((_, response) => json(response, { detail: 'Invalid key.' }, 401))
    const silent = await serve(() => undefined)
    const key: Step = ['API key (not shown): ', 'secret-key\r']
    const refused = await adding([key], ['--base-url', refusing.url])
    const gone = await adding([key, ['Connecting to ', ctrlC]], ['--base-url', silent.url])
    expect([refused.code, refused.stored, gone.code, gone.stored]).toEqual([4, undefined, 130, undefined])
    expect(refused.screen + gone.screen).not.toContain('secret-key')
  })

  test('CI=true turns prompts off, and CI=false does not', async () => {
    const home = emptyHome()
    const words = ['profiles', 'add', 'prod', '--base-url', server.url, '--api-key-command', 'echo key']
    const before = server.asked.length
    const added = await atTerminal(words, { HOME: home, CI: 'true' }, [])
    expect(added).toEqual({ code: 0, screen: `Added profile prod to ${home}/.config/analytics/config.json\r\n` })
    const refused = await atTerminal(person, { ...server.env, CI: 'true' }, [])
    expect([refused.code, server.asked.length - before]).toEqual([10, 0])
    expect(refused.screen).toContain('needs confirmation, but CI is set')
    expect((await atTerminal(person, { ...server.env, CI: 'false' }, [['[y/N]', 'n\r']])).code).toBe(10)
  })
})
