import { expect, test } from 'vitest'
import { launchOf } from '../../src/files/launch.ts'

const files = [
  'C:\\bin\\node.exe',
  'C:\\Program Files\\cloud\\az.cmd',
  'C:\\bin\\both',
  'C:\\bin\\both.CMD',
  '.\\purge.bat',
]
const windows = {
  isWindows: true,
  isFile: (path: string) => files.some(file => file.toLowerCase() === path.toLowerCase()),
}
const env = {
  Path: '"C:\\Program Files\\cloud";;C:\\bin',
  PATHEXT: '.COM;.EXE;.BAT;.CMD',
  ComSpec: 'C:\\Windows\\system32\\cmd.exe',
}
const shell = (line: string) => ({
  file: env.ComSpec,
  args: ['/d', '/s', '/c', `"${line}"`],
  windowsVerbatimArguments: true,
})
const direct = (file: string, ...args: string[]) => ({ file, args, windowsVerbatimArguments: false })

test.each([
  ['an .exe file is started itself', 'node', ['-p', '1 + 1'], direct('C:\\bin\\node.EXE', '-p', '1 + 1')],
  ['a .cmd file is run by the shell', 'az', ['a b', ''], shell('"C:\\Program Files\\cloud\\az.CMD" ^"a^ b^" ^"^"')],
  ['a file without an ending is a script of another shell', 'both', [], shell('"C:\\bin\\both.CMD"')],
  ['a path is not looked for elsewhere', '.\\purge.bat', ['one'], shell('".\\purge.bat" ^"one^"')],
  ['a program that is not there stays as it is', 'none', ['x'], direct('none', 'x')],
  ['a path that is not there stays as it is', 'C:\\none\\node', [], direct('C:\\none\\node')],
])('%s', (_, program, args, launch) => {
  expect(launchOf(program, args, env, windows)).toEqual(launch)
})

test.each([
  ['plan=pro & calc', '^"plan=pro^ ^&^ calc^"'],
  ['%PATH%', '^"^%PATH^%^"'],
  ['say "hi"', '^"say^ \\^"hi\\^"^"'],
  ['C:\\folder\\', '^"C:\\folder\\\\^"'],
])('nothing in an argument of a .cmd file means anything to the shell: %s', (word, written) => {
  expect(launchOf('az', [word], env, windows)).toEqual(shell(`"C:\\Program Files\\cloud\\az.CMD" ${written}`))
})

test('elsewhere the system finds programs', () => {
  const { isFile } = windows
  expect(launchOf('az', ['a b'], env, { isWindows: false, isFile })).toEqual(direct('az', 'a b'))
})
