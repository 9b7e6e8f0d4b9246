/** The outside world that tests replace. Files and child processes are not part of it. */
import { isAbsolute, resolve } from 'node:path'
import type { Dispatcher as Undici } from 'undici'
import { UsageError } from './errors.ts'

export interface Host {
  readonly version: string
  readonly node: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Such as `linux x64`. */
  readonly platform: string
  /** Undefined if it was removed. */
  readonly cwd: string | undefined
  readonly home: string | undefined
  readonly machine: string
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly clock: Clock
  readonly processes: {
    readonly pid: number
    /** Whether the process that had the id at `seenAt` (ms since 1970) still runs. */
    isRunning(pid: number, seenAt: number): boolean
  }
  readonly random: () => number
  /** Aborted with an `InterruptedError` at SIGINT or SIGTERM. */
  readonly interrupted: AbortSignal
  /** Redraws this line below all output; undefined removes it. Absent without a terminal that can do it. */
  setStatusLine?(line: (() => string) | undefined): void
  /** Replaces undici's own agent; only tests set it. */
  readonly dispatcher?: Dispatcher
}

interface Input {
  readonly isTerminal: boolean
  /** Can be read once. */
  read(): AsyncIterable<Uint8Array>
  /** Returns a line without its line break, undefined at the end of input; `hidden` does not show the typed text. */
  ask(question: string, hidden?: boolean): Promise<string | undefined>
}

export interface Output {
  readonly isTerminal: boolean
  /** Current width in cells; undefined without a terminal or if the width is 0. */
  readonly columns: number | undefined
  /** Throws `ReaderGone` if the reader closed it. Callers await a promise before the next write. */
  write(chunk: string | Uint8Array): void | Promise<void>
}

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number
  /** Milliseconds since any moment, for durations: changing the system time does not affect it. */
  elapsed(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Dispatcher {
  dispatch(options: DispatchOptions, handler: Undici.DispatchHandler): boolean
  destroy(): Promise<void>
}

export interface DispatchOptions {
  readonly origin: string
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Throws `UsageError` for a relative name if the working folder was removed: another folder may have a file of that name. */
export function absolutePath({ cwd }: Pick<Host, 'cwd'>, file: string): string {
  if (cwd !== undefined) return resolve(cwd, file)
  if (isAbsolute(file)) return resolve(file)
  throw new UsageError(`${file} cannot be found: the working folder was removed`, {
    hint: 'Change to another folder, or use an absolute path',
  })
}

export function isCi(env: Host['env']): boolean {
  return Boolean(env.CI) && env.CI !== 'false'
}
