/** Runs `analytics` in this process, with its own folders, clock and streams. */
import { setMaxListeners } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ReaderGone } from '../src/errors.ts'
import type { Dispatcher, Host, Output } from '../src/host.ts'
import { run } from '../src/run.ts'
import { fakeClock } from './clock.ts'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
}

interface RanHere extends Ran {
  /** Both streams in the order in which they were written, as a terminal gets them. */
  readonly written: string
}

export interface Options {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** Width of the terminal that stdout and stderr are; absent: pipes. */
  readonly columns?: number
  /** What is typed at each question; giving any makes stdin and stderr terminals. */
  readonly answers?: readonly string[]
  /** As with `2>log`. */
  readonly stderrIsFile?: boolean
  readonly machine?: Pick<Host, 'node' | 'platform'>
  readonly dispatcher?: Dispatcher
  readonly interrupted?: AbortSignal
  /** What reads stdout has closed its pipe before anything was written. */
  readonly readerGone?: boolean
}

export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'analytics-test-'))
  readonly clock = fakeClock()
  /** The id of the process that runs; no other one is running. */
  pid = process.pid

  async run(argv: readonly string[], options: Options = {}): Promise<RanHere> {
    const isTerminal = options.columns !== undefined
    const written: Buffer[] = []
    const stdout = options.readerGone ? closedPipe() : memory(isTerminal, options.columns, written)
    const isSeen = !options.stderrIsFile && (isTerminal || options.answers !== undefined)
    const stderr = memory(isSeen, options.columns, written)
    const answers = [...(options.answers ?? [])]
    const host: Host = {
      version: '0.0.0-test',
      node: '22.0.0',
      platform: 'linux x64',
      ...options.machine,
      env: {
        ANALYTICS_STATE_DIR: join(this.folder, 'state'),
        ANALYTICS_CONFIG_DIR: join(this.folder, 'config'),
        USER: 'ada',
        // Tests of colors set the width of the terminal.
        ...(isTerminal || options.answers === undefined ? {} : { NO_COLOR: '1' }),
        ...options.env,
      },
      cwd: this.folder,
      home: this.folder,
      machine: 'laptop',
      stdin: {
        isTerminal: options.answers !== undefined,
        read: async function* () {
          if (options.stdin !== undefined) yield Buffer.from(options.stdin)
        },
        ask: async (question, hidden) => {
          const answer = answers.shift()
          await stderr.write(`${question}${hidden || answer === undefined ? '' : answer}\n`)
          return answer
        },
      },
      stdout,
      stderr,
      clock: this.clock,
      processes: { pid: this.pid, isRunning: pid => pid === this.pid },
      random: () => 0.5,
      interrupted: options.interrupted ?? new AbortController().signal,
      ...(options.dispatcher ? { dispatcher: options.dispatcher } : {}),
    }
    // As the program does: each request of a run listens to the signal.
    setMaxListeners(0, host.interrupted)
    const code = await run(argv, host)
    return { stdout: stdout.text(), stderr: stderr.text(), code, written: Buffer.concat(written).toString() }
  }
}

/** A world that ends with its test. */
export function newWorld(): World {
  const world = new World()
  // Windows keeps a folder until each file in it is closed.
  onTestFinished(() => rm(world.folder, { recursive: true, force: true, maxRetries: 10 }))
  return world
}

function closedPipe(): ReturnType<typeof memory> {
  return {
    ...memory(false, undefined, []),
    write() {
      throw new ReaderGone()
    },
  }
}

function memory(isTerminal: boolean, columns: number | undefined, written: Buffer[]): Output & { text(): string } {
  const chunks: Buffer[] = []
  return {
    isTerminal,
    columns: columns === 0 ? undefined : columns,
    write(chunk) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      written.push(bytes)
    },
    text: () => Buffer.concat(chunks).toString(),
  }
}
