/** A real shell at a real terminal, in which somebody types and presses the tab key. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { bin, type Env, emptyHome } from '../../process/program.ts'

interface Shell {
  readonly start: string
  /** What loads the script of the completion, and prompts with `ready>`: typed first, in pieces that do not say so. */
  readonly setUp: string
}

const shells = {
  bash: { start: 'bash --norc --noprofile -i', setUp: `source ~/completion; PS1='rea''dy>'` },
  zsh: {
    start: 'zsh -f -i',
    setUp: `autoload -U compinit; compinit -u; source ~/completion; PS1='rea''dy>'`,
  },
  fish: {
    start: 'fish --no-config -i',
    setUp: `source ~/completion; function fish_prompt; echo 'rea''dy>'; end`,
  },
} as const satisfies Readonly<Record<string, Shell>>

export type ShellName = keyof typeof shells

const scripts = new Map<ShellName, string>()

function scriptOf(name: ShellName): string {
  const script =
    scripts.get(name) ?? spawnSync(process.execPath, [bin, 'completion', name], { encoding: 'utf8' }).stdout
  scripts.set(name, script)
  return script
}

/** The files in the folder that it starts in. */
export const file = 'ids-of-trial.txt'
const files = [
  file,
  'my list.txt',
  'letters.csv',
  ...['my letters.csv', 'my list.txt', 'team=list.txt'].map(name => `sp/${name}`),
  'two words/list.txt',
  "it's/a list.txt",
]

/** Whether the shell is installed, and a terminal can be made for it. */
export function has(name: ShellName): boolean {
  const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout
  return (script?.includes('util-linux') ?? false) && spawnSync(name, ['--version']).status === 0
}

export const tab = '\t'

/** The words that a line has become when all of its keys have been pressed, as the shell itself splits them. */
export async function typed(name: ShellName, keys: string, env: Env = {}): Promise<readonly string[]> {
  const screen = await screenAfter(name, keys, env)
  return [...screen.matchAll(/<word>(.*?)<\/word>/gs)].map(([, word = '']) => word)
}

/** All that the terminal got while these keys were pressed; in the end the words of the line are given to `printf`. */
export async function screenAfter(name: ShellName, keys: string, env: Env = {}): Promise<string> {
  const { start, setUp } = shells[name]
  const home = emptyHome()
  for (const name of files) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), '')
  }
  writeFileSync(join(home, 'completion'), scriptOf(name))
  mkdirSync(join(home, 'bin'))
  writeFileSync(join(home, 'bin/analytics'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  const child = spawn('script', ['-qefc', start, '/dev/null'], {
    cwd: home,
    env: {
      PATH: [join(home, 'bin'), process.env.PATH].join(delimiter),
      HOME: home,
      TERM: 'xterm',
      ANALYTICS_STATE_DIR: join(home, 'state'),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const toStart = '\u0001'
  child.stdin.write(`${setUp}\r`)
  let screen = ''
  let asked = false
  child.stdout.on('data', chunk => {
    screen += String(chunk)
    if (!asked && screen.includes('ready>')) {
      asked = true
      child.stdin.write(`${keys}${toStart}printf '<w''ord>%s</w''ord>\\n' \r`)
    }
    // Prompting again, it has printed everything.
    if (/<\/word>.*ready>/s.test(screen)) child.stdin.end()
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => resolve(screen))
  })
}
