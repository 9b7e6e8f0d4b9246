/** The edge: the real process becomes a host, and a run becomes its exit code. Nothing else touches `process`. */
import { setMaxListeners } from 'node:events'
import { fstatSync, statSync, writeSync } from 'node:fs'
import { version } from '../package.json'
import { InterruptedError, ReaderGone, UsageError } from './errors.ts'
import type { Clock, Host, Input, Output, Processes } from './host.ts'
import { withFoot } from './output/foot.ts'
import type { Prompt } from './prompt.ts'
import { run } from './run.ts'

const interruption = new AbortController()
// Node would warn of more than ten: everyone who waits listens, and how many those are is up to --concurrency.
setMaxListeners(0, interruption.signal)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    const reason = new InterruptedError(signal)
    // A second one means now: whoever asks twice is not waiting for an answer to come in.
    if (interruption.signal.aborted) {
      host.stderr.foot?.('')
      process.exit(reason.exit)
    }
    interruption.abort(reason)
  })
}

/** What a timer can hold, 25 days; more would end at once. */
const longest = 2 ** 31 - 1

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        Math.min(ms, longest),
      )
      signal?.addEventListener('abort', abort, { once: true })
    }),
}

/** How much any pipe takes without a reader. */
const pipeful = 64 * 1024

/** How long a reader has, once we are interrupted, to take what is on its way to it. */
const grace = 1000

/**
 * Writes straight to the descriptor: `process.stdout` costs 2 ms to make. It is made only where the kernel says
 * "not now" (a pipe that somebody set non-blocking), and for more than a pipe holds: a reader that has stopped reading
 * would stop us with it, deaf to signals. From then on the stream waits in our place.
 */
function output(descriptor: 1 | 2, open: () => NodeJS.WriteStream): Output {
  const isTerminal = isTty(descriptor)
  let room = isPipe(descriptor) ? pipeful : Number.POSITIVE_INFINITY
  let stream: NodeJS.WriteStream | undefined
  const wait = (rest: Uint8Array) => {
    stream ??= open().on('error', () => undefined)
    return written(stream, rest)
  }
  return {
    isTerminal,
    get columns() {
      return isTerminal ? open().columns || undefined : undefined
    },
    write(chunk) {
      let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      room -= rest.length
      if (stream || room < 0) return wait(rest)
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
      } catch (error) {
        if (isCode(error, 'EAGAIN')) return wait(rest)
        throw gone(error)
      }
    },
  }
}

/** Resolves when the stream has passed it on; rejects when nobody reads it, or not soon enough after an interruption. */
function written(stream: NodeJS.WriteStream, rest: Uint8Array): Promise<void> {
  const { signal } = interruption
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const hurry = () => {
      timer = setTimeout(() => reject(signal.reason), grace)
    }
    if (signal.aborted) hurry()
    else signal.addEventListener('abort', hurry, { once: true })
    stream.write(rest, error => {
      signal.removeEventListener('abort', hurry)
      clearTimeout(timer)
      if (error) reject(gone(error))
      else resolve()
    })
  })
}

/** Some programs give their children sockets for pipes. */
function isPipe(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}

/** Asking `node:tty` costs 2 ms, and neither a file nor a pipe nor /dev/null is a terminal. */
function isTty(descriptor: number): boolean {
  try {
    const { rdev } = fstatSync(descriptor)
    if (rdev === 0 || rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false
    return (require('node:tty') as typeof import('node:tty')).isatty(descriptor)
  } catch {
    return false
  }
}

/** Once a stream has failed, it says so of every later write. */
function gone(error: unknown): unknown {
  if (isCode(error, 'EPIPE') || isCode(error, 'ERR_STREAM_DESTROYED')) return new ReaderGone()
  return new UsageError('The output could not be written', { hint: 'Is the disk full?', cause: error })
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Messages that nobody can read any more are not worth failing for; those still on their way are waited for at the end. */
function forgiving(output: Output): Output & { settled(): Promise<unknown> } {
  const waiting = new Set<Promise<void>>()
  return {
    isTerminal: output.isTerminal,
    get columns() {
      return output.columns
    },
    write(chunk) {
      try {
        const written = output.write(chunk)?.catch(() => undefined)
        if (!written) return undefined
        const settled = written.finally(() => waiting.delete(settled))
        waiting.add(settled)
        return settled
      } catch {
        return undefined
      }
    },
    settled: () => Promise.all(waiting),
  }
}

let prompt: Prompt | undefined

/** A CI service may give a terminal, but nobody sits at it. */
const isAttended = !process.env.CI || process.env.CI === 'false'

const input: Input = {
  isTerminal: isTty(0) && isAttended,
  read: () => process.stdin,
  async ask(question, hidden = false) {
    const { createPrompt } = await import('./prompt.ts')
    prompt ??= createPrompt(process.stdin, process.stderr, interruption.signal)
    return prompt.ask(question, hidden)
  },
}

const stderr = forgiving(output(2, () => process.stderr))

const processes: Processes = {
  own: process.pid,
  async run(program, args, env) {
    const { runChild } = await import('./child.ts')
    return runChild(program, args, env, interruption.signal)
  },
  isRunning(pid) {
    try {
      return process.kill(pid, 0)
    } catch (error) {
      return isCode(error, 'EPERM')
    }
  },
}

/** The folder may have been removed under us: then relative names lead nowhere, and nothing else is lost. */
function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return process.env.PWD || '/'
  }
}

const host: Host = withFoot({
  version,
  node: process.versions.node,
  env: process.env,
  cwd: currentFolder(),
  home: process.env.HOME || process.env.USERPROFILE || undefined,
  stdin: input,
  stdout: output(1, () => process.stdout),
  stderr: isAttended ? stderr : { ...stderr, columns: undefined },
  clock,
  processes,
  program: [process.execPath, process.argv[1] ?? ''],
  random: Math.random,
  interrupted: interruption.signal,
})

run(process.argv.slice(2), host).then(async code => {
  await stderr.settled()
  // Everything is written by now; what may still be open (kept-alive connections) is not worth waiting for.
  process.exit(code)
})
