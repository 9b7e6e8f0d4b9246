/** The built program as a real process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

/** The variables with which a program writes the most memory that it held, in KB, to `file`. */
export function reporting(file: string): Env {
  const script = join(import.meta.dirname, '../../scripts/bench/peak.cjs')
  // Without the limit, how much garbage gathers depends on the Node, and on how busy the machine is.
  return { NODE_OPTIONS: `--require ${JSON.stringify(script)} --max-semi-space-size=8`, REPORT: file }
}

/** A folder that nothing else uses, for a home. */
export function emptyHome(): string {
  return mkdtempSync(join(tmpdir(), 'analytics-home-'))
}

export function start(argv: readonly string[], env: Env = {}, stdin?: string, cwd?: string): Started {
  const child = spawn(process.execPath, [bin, ...argv], {
    cwd,
    env: { ...machine, HOME: emptyHome(), ...env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  // A program may end before it has read all, or anything, of what it is given.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(stdin)
  return { child, finished: finish(child) }
}

export async function analytics(argv: readonly string[], env: Env = {}, stdin?: string): Promise<Finished> {
  return start(argv, env, stdin).finished
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
