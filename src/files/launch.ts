/** How another program is started. Windows starts only .exe files itself; commands of npm and many others are .cmd files. */

import { statSync } from 'node:fs'
import { win32 } from 'node:path'
import type { Env } from '../host.ts'
import { isWindows } from './windows-files.ts'

interface Launch {
  readonly file: string
  readonly args: readonly string[]
  /** Whether the arguments are quoted already, for the shell of Windows. */
  readonly windowsVerbatimArguments: boolean
}

interface Machine {
  readonly isWindows: boolean
  isFile(path: string): boolean
}

const own: Machine = {
  isWindows,
  isFile: path => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
}

/** A program that is not found stays as it is, and cannot be started. */
export function launchOf(program: string, args: readonly string[], env: Env, machine = own): Launch {
  const file = (machine.isWindows && pathOnWindows(program, env, machine)) || program
  if (!machine.isWindows || !/\.(cmd|bat)$/i.test(file)) return { file, args, windowsVerbatimArguments: false }
  const line = [`"${file}"`, ...args.map(word => escaped(quoted(word)))].join(' ')
  const shell = env[nameIn(env, 'ComSpec')] || 'cmd.exe'
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true }
}

/** The variable as `env` spells it: Windows ignores case, and calls its own `Path`. */
export function nameIn(env: Env, name: string): string {
  if (env[name] !== undefined) return name
  return Object.keys(env).find(other => other.toUpperCase() === name.toUpperCase()) ?? name
}

function pathOnWindows(program: string, env: Env, { isFile }: Machine): string | undefined {
  const endings = (env[nameIn(env, 'PATHEXT')] || '.COM;.EXE;.BAT;.CMD').split(';')
  const names = [...(win32.extname(program) ? [program] : []), ...endings.map(ending => program + ending)]
  if (/[\\/:]/.test(program)) return names.find(isFile)
  const folders = (env[nameIn(env, 'PATH')] ?? '').split(';').map(folder => folder.replaceAll('"', ''))
  const paths = folders.filter(Boolean).flatMap(folder => names.map(name => win32.join(folder, name)))
  return paths.find(isFile)
}

/** As a program of Windows reads its command line. */
function quoted(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`
}

/** For cmd.exe, which reads its own signs within quotes too. */
function escaped(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/g, '^$&')
}
