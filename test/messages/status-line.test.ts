/** The line at the foot: what is on the screen when something is written while it is shown. */
import { expect, test } from 'vitest'
import type { Host, Output } from '../../src/host.ts'
import { withStatusLine } from '../../src/messages/status-line.ts'
import { screenOf } from '../screens/screen.ts'

function terminal({ columns = 40, env = {} }: { columns?: number | undefined; env?: Host['env'] } = {}) {
  const written: string[] = []
  const output: Output = {
    isTerminal: true,
    columns,
    write: chunk => void written.push(String(chunk).replaceAll('\n', '\r\n')),
  }
  const { stdout, stderr } = withStatusLine({ env, stdout: { ...output }, stderr: { ...output } } as Host)
  return { stdout, stderr, screen: () => screenOf(written, columns ?? 40), written }
}

test('what is written on either stream stands above it', () => {
  const { stdout, stderr, screen } = terminal()
  stderr.statusLine?.('1 of 2')
  stdout.write('row\n')
  stderr.write(Buffer.from('message\n'))
  expect(screen()).toBe('row\nmessage\n1 of 2')
  stderr.statusLine?.('2 of 2')
  expect(screen()).toBe('row\nmessage\n2 of 2')
  stderr.statusLine?.('')
  expect(screen()).toBe('row\nmessage')
})

test('that something is waited for is shown only while nothing says how far a run has come', () => {
  const { stderr, screen } = terminal()
  stderr.statusLine?.('waiting', 'wait')
  stderr.statusLine?.('1 of 2')
  expect(screen()).toBe('1 of 2')
  stderr.statusLine?.('still waiting', 'wait')
  expect(screen()).toBe('1 of 2')
  stderr.statusLine?.('')
  expect(screen()).toBe('still waiting')
})

test('below a line that is not at its end it waits, and a message does not go on with that line', () => {
  const { stdout, stderr, screen } = terminal()
  stderr.statusLine?.('1 of 2')
  stdout.write('[1')
  expect(screen()).toBe('[1')
  stdout.write(', 2]\n')
  expect(screen()).toBe('[1, 2]\n1 of 2')
  stdout.write('[3')
  stderr.write('message\n')
  expect(screen()).toBe('[1, 2]\n[3\nmessage\n1 of 2')
})

test('it makes way for a question until that is answered', async () => {
  const written: string[] = []
  const output = { isTerminal: true, columns: 40, write: (chunk: string) => void written.push(chunk) }
  const ask = () => {
    written.push('Go on? ')
    return new Promise<string>(resolve => {
      answer = resolve
    })
  }
  let answer: (line: string) => void = () => undefined
  const { stdin, stderr } = withStatusLine({
    env: {},
    stdin: { ask },
    stdout: output,
    stderr: output,
  } as unknown as Host)
  stderr.statusLine?.('1 of 2')
  const asked = stdin.ask('Go on? ')
  stderr.statusLine?.('still 1 of 2')
  expect(screenOf(written, 40)).toBe('Go on?')
  written.push('y\r\n')
  answer('y')
  expect(await asked).toBe('y')
  expect(screenOf(written, 40)).toBe('Go on? y\nstill 1 of 2')
})

test('while a terminal is slow to take a text, it waits until all of it is there', async () => {
  const written: string[] = []
  const taken: (() => void)[] = []
  const output = { isTerminal: true, columns: 40 }
  const slow = (chunk: string | Uint8Array) =>
    new Promise<void>(resolve => taken.push(resolve)).then(() => void written.push(`${chunk}\r`))
  const { stdout, stderr } = withStatusLine({
    env: {},
    stdout: { ...output, write: slow },
    stderr: { ...output, write: (chunk: string) => void written.push(chunk.replaceAll('\n', '\r\n')) },
  } as unknown as Host)
  stderr.statusLine?.('1 of 2')
  const rows = [stdout.write('one\n'), stdout.write('two\n')]
  stderr.statusLine?.('2 of 2')
  expect(screenOf(written, 40)).toBe('')
  for (const take of taken) take()
  await Promise.all(rows)
  expect(screenOf(written, 40)).toBe('one\ntwo\n2 of 2')
})

test('it is cut to the width, in whole characters', () => {
  const { stderr, screen } = terminal({ columns: 8 })
  stderr.statusLine?.('山田太郎 1 of 2')
  expect(screen()).toBe('山田太…')
})

test.each([
  ['says that it is dumb', { env: { TERM: 'dumb' } }],
  ['has no width', { columns: undefined }],
])('a terminal that %s has none', (_, how) => {
  const host = 'columns' in how ? { isTerminal: true, columns: undefined, write: () => undefined } : undefined
  const { stderr } = host ? withStatusLine({ env: {}, stdout: host, stderr: host } as unknown as Host) : terminal(how)
  expect(stderr.statusLine).toBeUndefined()
})
