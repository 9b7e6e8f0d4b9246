import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { expect, test } from 'vitest'
import { runKeyCommand } from '../../src/config/key-command.ts'

const messages: string[] = []
const interruption = new AbortController()
const host = {
  env: { PATH: process.env.PATH, OWN: 'from the environment' },
  stderr: {
    isTerminal: false,
    columns: undefined,
    write: (chunk: string | Uint8Array) => void messages.push(String(chunk)),
  },
  interrupted: interruption.signal,
}
const node = (script: string) => `"${process.execPath}" -e "${script}"`
const sleeping = (seconds: number, options: string) =>
  `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, ${seconds}000)'], ${options})`

test.each([
  ['the first line, without white space', `console.log(' key \\nmore')`, 'key'],
  ['from words, not from a shell', `console.log('$HOME;a|b>c')`, '$HOME;a|b>c'],
  ['with the environment', `console.log(process.env.OWN.length)`, '20'],
])('the key is what the command prints: %s', async (_, script, key) => {
  expect(await runKeyCommand(node(script), host)).toBe(key)
})

test('quotes group words, and an empty word counts', async () => {
  const command = `"${process.execPath}" -p 'process.argv.slice(1).map(word => word.length).join()' 'a b' "" c"d e"f`
  expect(await runKeyCommand(command, host)).toBe('3,0,5')
})

test('the command runs in the root folder', async () => {
  expect(await runKeyCommand(node('console.log(process.cwd())'), host)).toBe(parse(process.cwd()).root)
})

test('passes on the stderr of the command', async () => {
  await runKeyCommand(node(`console.error('Unlock it first'); console.log('key')`), host)
  expect(messages.join('')).toContain('Unlock it first')
})

test('at a terminal the stderr of the command appears at once, and only once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-key-'))
  const seen: string[] = []
  const write = (chunk: string | Uint8Array) => {
    seen.push(String(chunk))
    writeFileSync(join(folder, 'answer'), '')
  }
  const waits = `console.log('key'); require('node:fs').watch('${folder.replaceAll('\\', '/')}', () => process.exit())`
  const command = node(`${waits}; console.error('Unlock it first')`)
  expect(await runKeyCommand(command, { ...host, stderr: { ...host.stderr, isTerminal: true, write } })).toBe('key')
  expect(seen.join('')).toBe('Unlock it first\n')
})

test('hides the key in the stderr of the command, where a tracing shell prints it', async () => {
  messages.length = 0
  await runKeyCommand(node(`console.error('+ echo phx_0123456789'); console.log('phx_0123456789')`), host)
  expect(messages.join('')).toBe('+ echo ***\n')
})

test('the command gets an empty stdin', async () => {
  expect(await runKeyCommand(node(`process.stdin.on('end', () => console.log('ended')).resume()`), host)).toBe('ended')
})

test.each([
  ['prints nothing', node(''), 'printed no key'],
  ['prints what is no key', node(`console.log('not a key')`), 'printed no key'],
  ['fails', node(`console.log('key'); process.exit(3)`), 'failed (3)'],
  ['is not there', '/nowhere/at/all', 'was not found'],
  ['is a relative path', './key', '"./key" is not a program'],
  ['is blank', ' ', '"" is not a program'],
  ['prints without end', node(`console.log('x'.repeat(2e6))`), 'printed more than 1024 KB'],
])('a command that %s gives no key', async (_, command, why) => {
  const failure = await runKeyCommand(command, host).catch((error: unknown) => error)
  expect(failure).toMatchObject({ exit: 4, message: expect.stringContaining(why) })
})

test('a command that takes too long is killed, and its children are not waited for', async () => {
  const stubborn = node(`process.on('SIGTERM', () => {}); ${sleeping(5, `{ stdio: 'inherit' }`)}`)
  const failure = await runKeyCommand(stubborn, host, 300).catch((error: unknown) => error)
  expect(failure).toMatchObject({ exit: 4, message: expect.stringContaining('did not finish in 0.3 seconds') })
})

test('the command is done when it exits, even if a child keeps its stdout open', async () => {
  const spawns = `${sleeping(60, `{ stdio: 'inherit', detached: true }`)}.unref()`
  expect(await runKeyCommand(node(`${spawns}; console.log('key'); process.exit()`), host, 60_000)).toBe('key')
  const failure = await runKeyCommand(node(`${spawns}; process.exit(3)`), host, 60_000).catch((error: unknown) => error)
  expect(failure).toMatchObject({ exit: 4, message: expect.stringContaining('failed (3)') })
})

test('an interruption ends the command', async () => {
  const own = new AbortController()
  const asked = runKeyCommand(node('setTimeout(() => {}, 60000)'), { ...host, interrupted: own.signal })
  own.abort(new Error('interrupted'))
  await expect(asked).rejects.toThrow('interrupted')
})
