/**
 * The outside world as a type. Everything a command can touch arrives through it, so a test can be a whole world:
 * `main.ts` makes one from the real process, `test/world.ts` one for a transcript.
 */
import type { Dispatcher } from './dispatcher.ts'

export interface Host {
  readonly version: string
  /** The version of Node.js that runs it. */
  readonly node: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder that relative file names of the command line start from. */
  readonly cwd: string
  /** The person's home folder; undefined where there is none. */
  readonly home: string | undefined
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  readonly processes: Processes
  /** The words that start this very program again. */
  readonly program: readonly string[]
  /** Between 0 and 1, for jitter. */
  readonly random: () => number
  /** Aborted with an `InterruptedError` as reason when SIGINT or SIGTERM arrives. */
  readonly interrupted: AbortSignal
  /** How long completion may wait for names from the service, in ms; only tests give one. */
  readonly longestCompletion?: number
  /** What sends requests, in place of undici's own agent; only tests give one. */
  readonly dispatcher?: Dispatcher
}

export interface Input {
  readonly isTerminal: boolean
  /** The bytes as they come; may be read once. */
  read(): AsyncIterable<Uint8Array>
  /** One line typed at the terminal, without its end; `hidden` shows nothing of it. Undefined at end of input. */
  ask(question: string, hidden?: boolean): Promise<string | undefined>
  /** Drops what was typed until now: it was typed before the next question could be read. */
  dropTyped?(): Promise<void>
}

export interface Output {
  readonly isTerminal: boolean
  /** Width of the terminal in cells as it is now; undefined elsewhere, and where a terminal says 0. */
  readonly columns: number | undefined
  /** Writes all of it, or throws `ReaderGone` when nobody reads any more. Await what it returns: that is back-pressure. */
  write(chunk: string | Uint8Array): void | Promise<void>
  /** Shows a line below everything written, in place of the one before; '' takes it away. Only where a line can move. */
  statusLine?(line: string, rank?: StatusRank): void
}

/** A line of `wait` is shown only while there is none of `run`. */
export type StatusRank = 'run' | 'wait'

/** For locks that outlive who took them. */
export interface Processes {
  /** The id of this one. */
  readonly own: number
  /** Whether this machine has a process of that id now. */
  isRunning(pid: number): boolean
  /** Runs a command with our own streams and resolves with its exit code, 128 and more for a signal. */
  run(program: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number>
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
