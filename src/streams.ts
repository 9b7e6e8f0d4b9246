/** stdout and stderr as they are: descriptors that are terminals, pipes or files. */
import { fstatSync, statSync, writeSync } from 'node:fs'
import { ReaderGone, UsageError } from './errors.ts'
import type { Output } from './host.ts'

/** How much any pipe takes without a reader. */
const pipeful = 64 * 1024

/** How long a reader has, once we are interrupted, to take what is on its way to it. */
const grace = 1000

/**
 * Writes straight to the descriptor: Node's stream costs 2 ms to make. It is made only where the kernel says "not now"
 * (a pipe that somebody set non-blocking), and for more than a pipe holds: a reader that has stopped reading would stop
 * us with it, deaf to signals. From then on the stream waits in our place.
 */
export function openOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream, interrupted: AbortSignal): Output {
  const isTerminal = isTty(descriptor)
  let room = isPipe(descriptor) ? pipeful : Number.POSITIVE_INFINITY
  let stream: NodeJS.WriteStream | undefined
  const wait = (rest: Uint8Array) => {
    stream ??= open().on('error', () => undefined)
    return written(stream, rest, interrupted)
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
function written(stream: NodeJS.WriteStream, rest: Uint8Array, interrupted: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const hurry = () => {
      timer = setTimeout(() => reject(interrupted.reason), grace)
    }
    if (interrupted.aborted) hurry()
    else interrupted.addEventListener('abort', hurry, { once: true })
    stream.write(rest, error => {
      interrupted.removeEventListener('abort', hurry)
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
export function isTty(descriptor: number): boolean {
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

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Messages that nobody can read any more are not worth failing for; those still on their way are waited for at the end. */
export function forgiving(output: Output): Output & { settled(): Promise<unknown> } {
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
