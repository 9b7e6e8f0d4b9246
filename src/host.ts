/** The outside world as a type: a test can replace all of it. */
import type { Dispatcher } from './dispatcher.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface Host {
  readonly version: string
  readonly node: string
  readonly env: Env
  /** The folder that relative file names start from. */
  readonly cwd: string
  readonly home: string | undefined
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  readonly processes: Processes
  /** The words that start this program again. */
  readonly program: readonly string[]
  /** Called while much arrives. */
  readonly collectGarbage?: () => void
  /** From 0 to 1, for jitter. */
  readonly random: () => number
  /** Aborted with an `InterruptedError` at SIGINT, SIGTERM or SIGHUP. */
  readonly interrupted: AbortSignal
  /** Milliseconds that completion waits for names from the service; only tests set it. */
  readonly longestCompletion?: number
  /** Replaces undici's own agent; only tests set it. */
  readonly dispatcher?: Dispatcher
}

export interface Input {
  readonly isTerminal: boolean
  /** Can be read once. */
  read(): AsyncIterable<Uint8Array>
  /** A line without its end; `hidden` shows nothing of it. Undefined at the end of input. */
  ask(question: string, hidden?: boolean): Promise<string | undefined>
  /** Drops what was typed before the next question. */
  dropTyped?(): Promise<void>
}

export interface Output {
  readonly isTerminal: boolean
  /** Current width in cells; undefined where it is no terminal or the width is 0. */
  readonly columns: number | undefined
  /** Throws `ReaderGone` when nobody reads. Await the result before the next write. */
  write(chunk: string | Uint8Array): void | Promise<void>
  /** Replaces the line below all output; '' removes it. Only where a line can move. */
  statusLine?(line: string, rank?: StatusRank): void
}

/** A line of `wait` is shown only while `run` has none. */
export type StatusRank = 'run' | 'wait'

/** For locks, which can outlive their owner. */
export interface Processes {
  readonly own: number
  /** Whether a process of that id runs on this machine now. */
  isRunning(pid: number): boolean
  /** Shares our streams. Resolves with the exit code, 128 and more for a signal. */
  run(program: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number>
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Milliseconds since any moment, for durations: unlike `now`, nobody can set it. */
  elapsed(): number
  /** Rejects with the reason of the signal when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export function isCi(env: Host['env']): boolean {
  return Boolean(env.CI) && env.CI !== 'false'
}
