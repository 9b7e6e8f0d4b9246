/** The built program at a terminal: a real one, made by `script` of util-linux. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Event, screenOf } from '../screens/screen.ts'
import { bin, type Env, emptyHome, machine } from './program.ts'

/** Other systems have a `script` too, with other options. */
export const hasTerminal =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

interface Seen {
  /** Everything that was on the screen: both streams, and what the terminal echoed. */
  readonly screen: string
  readonly code: number | null
}

/** A text to wait for on the screen, and what to type then. */
export type Step = readonly [until: string, keys: string]

export const ctrlC = '\u0003'
export const ctrlD = '\u0004'
export const backspace = '\u007f'
export const enter = '\r'

export function atTerminal(argv: readonly string[], env: Env, steps: readonly Step[]): Promise<Seen> {
  const child = startAt(commandLine(argv), { HOME: emptyHome(), ...env })
  // A test that fails has not waited for its end.
  onTestFinished(() => void child.kill())
  const left = [...steps]
  let screen = ''
  let looked = 0
  child.stdout?.on('data', chunk => {
    screen += String(chunk)
    for (let step = left[0]; step; step = left[0]) {
      const at = screen.indexOf(step[0], looked)
      if (at < 0) return
      looked = at + step[0].length
      left.shift()
      child.stdin?.write(step[1])
    }
  })
  return ended(child).then(code => ({ screen, code }))
}

interface Terminal {
  /** What is to be seen now: see `screenOf`. */
  screen(): string
  /** All bytes that came to the terminal by now. */
  bytes(): string
  /** Resolves to the screen as soon as it has `text`, broken or not; rejects when the program ends before. */
  shows(text: string | RegExp): Promise<string>
  type(keys: string): void
  /** Stops the program as Ctrl-Z does; the bash of `stoppable` fetches it with `fg`. */
  stop(): void
  /** Gives the window another width. */
  resize(columns: number): void
  /** Closes the window. */
  close(): void
  /** Resolves to the exit code. */
  readonly ended: Promise<number | null>
}

export interface Window {
  readonly columns?: number
  /** Where else a stream goes, in the words of a shell: `2>file`. */
  readonly redirect?: string
  /** The folder to be in. */
  readonly cwd?: string
  /** Begun with `&` in a bash whose line editor has the terminal, and fetched with `fg` when it stops. */
  readonly background?: boolean
  /** Run by a bash that gives the terminal its own modes and fetches it with `fg` when it stops. */
  readonly stoppable?: boolean
  /** A command whose output is typed, in place of what the test types. */
  readonly typist?: string
  /** Gets the exit code of the program, also where the window is closed. */
  readonly codeFile?: string
}

/** The program in a window that a test can read and type into. */
export function openTerminal(
  argv: readonly string[],
  env: Env,
  { columns = 80, redirect = '', cwd = '.', background = false, stoppable = false, typist, codeFile }: Window,
): Terminal {
  const home = emptyHome()
  const started = `${background ? inBackground : stoppable ? asJob : ''} ${commandLine(argv)} ${redirect}`
  // The first shell must end with the window, because its end sends the signal to the others.
  const kept = codeFile === undefined ? started : `(trap '' HUP; ${started}; echo $? > '${codeFile}'); true`
  const line = `stty cols ${columns}; tty > "$HOME/tty"; ${kept}`
  const child = startAt(line, { HOME: home, TZ: 'UTC', ...env }, cwd, typist)
  // A test that fails has not waited for its end.
  onTestFinished(() => void child.kill())
  const events: Event[] = []
  const waiting = new Set<() => void>()
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    events.push(chunk)
    for (const look of waiting) look()
  })
  const screen = () => screenOf(events, columns || 80)
  const end = ended(child)
  return {
    screen,
    bytes: () => events.filter(event => typeof event === 'string').join(''),
    shows: text =>
      new Promise((resolve, reject) => {
        const look = () => {
          const now = screen()
          if (typeof text === 'string' ? !unbroken(now).includes(unbroken(text)) : !text.test(now)) return
          waiting.delete(look)
          resolve(now)
        }
        waiting.add(look)
        look()
        void end.then(code => reject(new Error(`It ended with ${code} and never showed ${text}:\n${screen()}`)))
      }),
    type: keys => void child.stdin?.write(keys),
    stop: () => void process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGSTOP'),
    resize(to) {
      const name = join(home, 'tty')
      if (!existsSync(name)) throw new Error('There is nothing on the screen yet')
      spawnSync('stty', ['-F', readFileSync(name, 'utf8').trim(), 'cols', String(to)])
      events.push({ columns: to })
    },
    close: () => void child.kill('SIGKILL'),
    ended: end,
  }
}

const inBackground = `bash -c 'set -m; stty -icanon -echo -icrnl; "$@" & wait %1; stty sane; fg' bash`

const asJob = `bash -c 'set -m; (echo $BASHPID > "$HOME/pid"; exec "$@"); stty sane; fg' bash`

/** Without white space, so that a text is found however its lines are broken. */
function unbroken(text: string): string {
  return text.replaceAll(/\s/g, '')
}

function commandLine(argv: readonly string[]): string {
  return [process.execPath, bin, ...argv].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}

function startAt(line: string, env: Env, cwd = '.', typist?: string): ChildProcess {
  const piped = typist === undefined ? 'exec script' : `${typist} | script`
  return spawn('sh', ['-c', `${piped} -qefc "$0" /dev/null`, line], {
    env: { ...machine, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd,
  })
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
}
