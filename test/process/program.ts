/** The built program as a real process. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export const bin = join(import.meta.dirname, '../../bin/analytics.js')

export interface Finished {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

export interface Started {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
}

export type Env = Readonly<Record<string, string>>

/** What every program takes from this machine. */
export const machine: Env = { PATH: process.env.PATH ?? '', TMPDIR: tmpdir() }

/** The variables with which a program writes its peak memory, in KB, to `file`. */
export function reporting(file: string): Env {
  const script = join(import.meta.dirname, '../../scripts/bench/peak.cjs')
  // Without the limit, the amount of garbage depends on the version of Node and on the load of the machine.
  return { NODE_OPTIONS: `--require ${JSON.stringify(script)} --max-semi-space-size=8`, REPORT: file }
}

/** A new folder for a home. */
export function emptyHome(): string {
  return mkdtempSync(join(tmpdir(), 'analytics-home-'))
}

export function start(argv: readonly string[], env: Env = {}, stdin?: string | Readable, cwd?: string): Started {
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd,
    env: { ...machine, HOME: emptyHome(), ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // A program may end before it has read its stdin.
  child.stdin?.on('error', () => typeof stdin === 'object' && stdin.destroy())
  if (typeof stdin === 'object') stdin.pipe(child.stdin as Writable)
  else child.stdin?.end(stdin)
  return { child, finished: finish(child) }
}

export async function analytics(argv: readonly string[], env: Env = {}, stdin?: string): Promise<Finished> {
  return start(argv, env, stdin).finished
}

/** Defines the program as a word of bash. */
export const program = 'analytics() { "$NODE" "$BIN" "$@"; }'

/** Runs a line of bash in which `analytics` is the program. `through` are words in front of bash. */
export function bash(line: string, env: Env, cwd?: string, through: readonly string[] = []): Promise<Finished> {
  const [first = '', ...words] = [...through, 'bash', '-c', `${program}\n${line}`]
  const variables = { ...machine, HOME: cwd ?? emptyHome(), NODE: process.execPath, BIN: bin, ...env }
  return new Promise(resolve => {
    execFile(first, words, { cwd, env: variables, maxBuffer: 2 ** 30 }, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: error ? Number(error.code) : 0 }),
    )
  })
}

/** An event that a test waits for. */
export function newEvent(): { readonly happened: Promise<void>; readonly happen: () => void } {
  let happen: () => void = () => undefined
  const happened = new Promise<void>(resolve => {
    happen = resolve
  })
  return { happened, happen: () => happen() }
}

function finish(child: ChildProcess): Promise<Finished> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', chunk => out.push(chunk))
  child.stderr?.on('data', chunk => err.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code =>
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), code }),
    )
  })
}
