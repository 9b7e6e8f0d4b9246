/** A real shell at a real terminal, in which somebody types and presses the tab key. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { bin, type Env, emptyHome } from '../process/program.ts'

interface Shell {
  readonly start: string
  /** What makes it complete, typed before anything else. */
  readonly setUp: string
}

const shells = {
  bash: { start: 'bash --norc --noprofile -i', setUp: 'PS1="> "; source <(analytics completion bash)' },
  zsh: { start: 'zsh -f -i', setUp: 'PS1="> "; autoload -U compinit; compinit -u; source <(analytics completion zsh)' },
  fish: { start: 'fish --no-config -i', setUp: 'analytics completion fish | source' },
} as const satisfies Readonly<Record<string, Shell>>

export type ShellName = keyof typeof shells

/** Whether the shell is installed, and a terminal can be made for it. */
export function has(name: ShellName): boolean {
  const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout
  return (script?.includes('util-linux') ?? false) && spawnSync(name, ['--version']).status === 0
}

export const tab = '\t'

/**
 * The words that a line has become when all of its keys have been pressed: as the shell itself splits them, for they are
 * given to `printf` in the end.
 */
export async function typed(name: ShellName, keys: string, env: Env = {}): Promise<readonly string[]> {
  const { start, setUp } = shells[name]
  const home = emptyHome()
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, 'bin/analytics'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  const child = spawn('script', ['-qefc', start, '/dev/null'], {
    cwd: home,
    env: {
      ...process.env,
      PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
      HOME: home,
      TERM: 'xterm',
      ANALYTICS_STATE_DIR: join(home, 'state'),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const toStart = '\u0001'
  // The marks are quoted apart, so that what is typed does not look like what is printed.
  child.stdin.write(`${setUp}; printf 'rea''dy\\n'\r`)
  let screen = ''
  let asked = false
  child.stdout.on('data', chunk => {
    screen += String(chunk)
    if (!asked && screen.includes('ready')) {
      asked = true
      child.stdin.write(`${keys}${toStart}printf '<w''ord>%s</w''ord>\\n' \r`)
    }
    if (asked && screen.includes('<word>')) child.stdin.write('exit\r')
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve([...screen.matchAll(/<word>(.*?)<\/word>/gs)].map(([, word = '']) => word)))
  })
}
