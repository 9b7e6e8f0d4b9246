/** Windows starts only .exe files directly; many commands, such as those of npm, are .cmd files. */

import { statSync } from 'node:fs'
import { win32 } from 'node:path'
import type { Env } from '../host.ts'
import { isWindows } from './windows-files.ts'

interface Launch {
  readonly file: string
  readonly args: readonly string[]
  /** The arguments are already quoted for the Windows shell. */
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

export function launchOf(program: string, args: readonly string[], env: Env, machine = own): Launch {
  const file = (machine.isWindows && pathOnWindows(program, env, machine)) || program
  if (!machine.isWindows || !/\.(cmd|bat)$/i.test(file)) return { file, args, windowsVerbatimArguments: false }
  const line = [`"${file}"`, ...args.map(word => escaped(quoted(word)))].join(' ')
  const shell = env[nameIn(env, 'ComSpec')] || 'cmd.exe'
  return { file: shell, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true }
}

/** Finds the variable as `env` spells it: Windows ignores case. */
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

/** For the way in which Windows programs read their command line. */
function quoted(word: string): string {
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`
}

/** cmd.exe interprets its special characters within quotes too. */
function escaped(text: string): string {
  return text.replace(/[()[\]%!^"`<>&|;, *?]/g, '^$&')
}
