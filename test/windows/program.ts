/** The built program on Windows: natively, or under Wine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { bin, type Env, type Finished } from '../process/program.ts'
import { isWindows, node, wineEnv } from './wine.ts'

/** How Windows names a file of this machine. */
export function windowsPath(path: string): string {
  return isWindows ? path : `Z:${path.replaceAll('/', '\\')}`
}

/** With a blank and a letter that is not ASCII in its name. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'analytics windows ü '))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** The variables that keep a program in a folder. */
export function inFolder(folder: string): Env {
  return {
    ANALYTICS_CONFIG_DIR: windowsPath(join(folder, 'config')),
    ANALYTICS_STATE_DIR: windowsPath(join(folder, 'state')),
  }
}

const { FORCE_COLOR: _, NO_COLOR: __, ...machine } = process.env

/** Its streams are files, since Node under Wine cannot use pipes of another system. */
export function startOnWindows(argv: readonly string[], env: Env, stdin = '', cwd = newFolder()) {
  const streams = mkdtempSync(join(tmpdir(), 'analytics-streams-'))
  const [input, output, errors] = ['in', 'out', 'err'].map(name => join(streams, name)) as [string, string, string]
  writeFileSync(input, stdin)
  const stdio = [openSync(input, 'r'), openSync(output, 'w'), openSync(errors, 'w')]
  const [command, ...words] = isWindows ? [process.execPath] : ['wine', node]
  const child = spawn(command ?? '', [...words, windowsPath(bin), ...argv], {
    cwd,
    env: { ...machine, ...(isWindows ? {} : { ...wineEnv, NODE_OPTIONS: requireWineFile }), ...env },
    stdio: stdio as [number, number, number],
  })
  for (const file of stdio) closeSync(file)
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      const [stdout, stderr] = [output, errors].map(file => readFileSync(file, 'utf8')) as [string, string]
      rmSync(streams, { recursive: true, force: true, maxRetries: 5 })
      resolve({ stdout, stderr, code })
    })
  })
  return { child: child as ChildProcess, finished }
}

const requireWineFile = `--require ${JSON.stringify(windowsPath(join(import.meta.dirname, 'wine.cjs')).replaceAll('\\', '/'))}`

export function onWindows(argv: readonly string[], env: Env, stdin?: string, cwd?: string): Promise<Finished> {
  return startOnWindows(argv, env, stdin, cwd).finished
}
