/** The built program at a terminal: a real one, made by `script` of util-linux. */
import { spawn, spawnSync } from 'node:child_process'
import { bin, type Env, emptyHome } from './program.ts'

/** Other systems have a `script` too, with other options. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

export interface Seen {
  /** Everything that was on the screen: both streams, and what the terminal echoed. */
  readonly screen: string
  readonly code: number | null
}

/** What is waited for on the screen, and what is typed then. */
export type Step = readonly [until: string, keys: string]

export const ctrlC = '\u0003'
export const ctrlD = '\u0004'
export const backspace = '\u007f'
export const enter = '\r'

export function atTerminal(argv: readonly string[], env: Env, steps: readonly Step[]): Promise<Seen> {
  const command = [process.execPath, bin, ...argv].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env.PATH ?? '', HOME: emptyHome(), TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const left = [...steps]
  let screen = ''
  let looked = 0
  child.stdout.on('data', chunk => {
    screen += String(chunk)
    for (let step = left[0]; step; step = left[0]) {
      const at = screen.indexOf(step[0], looked)
      if (at < 0) return
      looked = at + step[0].length
      left.shift()
      child.stdin.write(step[1])
    }
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ screen, code }))
  })
}
