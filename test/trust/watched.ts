/** The built program as a real process, with what it took of the machine. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { bin, type Env, emptyHome, type Finished, machine, reporting } from '../process/program.ts'

interface Watched extends Finished {
  /** The most memory that it held, in MB; 0 where it was killed. */
  readonly peak: number
  readonly ms: number
}

const folder = mkdtempSync(join(tmpdir(), 'analytics-watched-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
let runs = 0

/** Runs it to its end, with `stdin` as it comes. */
export async function watched(argv: readonly string[], env: Env, stdin?: Readable): Promise<Watched> {
  const peak = join(folder, String(++runs))
  const began = performance.now()
  const child = spawn(process.execPath, [bin, ...argv], {
    env: { ...machine, HOME: emptyHome(), ...reporting(peak), ...env },
    stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  })
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout?.on('data', chunk => out.push(chunk))
  child.stderr?.on('data', chunk => err.push(chunk))
  if (stdin && child.stdin) stdin.pipe(child.stdin.on('error', () => stdin.destroy()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return {
    stdout: Buffer.concat(out).toString(),
    stderr: Buffer.concat(err).toString(),
    code,
    peak: code === null ? 0 : Number(readFileSync(peak, 'utf8')) / 1024,
    ms: performance.now() - began,
  }
}
