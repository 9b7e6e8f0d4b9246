import { fstatSync, type Stats, statSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { ReaderGone } from './errors.ts'
import { cannotWrite, codeOf } from './files/system-error.ts'
import type { Output } from './host.ts'

const pipeCapacity = 64 * 1024

/** Loads Node's stream only where writing to the descriptor could block, because that takes 2 ms. */
export function openOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream, interrupted: AbortSignal): Output {
  const isTerminal = isTty(descriptor)
  const stats = descriptorStats(descriptor)
  // Some programs pass sockets instead of pipes.
  let bytesLeft = stats?.isFIFO() || stats?.isSocket() ? pipeCapacity : Number.POSITIVE_INFINITY
  let stream: NodeJS.WriteStream | undefined
  const fail = (error: unknown) => {
    // A lost message must not change the exit code.
    if (descriptor === 1) throw error
  }
  const wait = (rest: Uint8Array) => {
    stream ??= open().on('error', () => undefined)
    return writeStream(stream, rest, interrupted).catch(fail)
  }
  return {
    isTerminal,
    get columns() {
      return isTerminal ? open().columns || undefined : undefined
    },
    write(chunk) {
      let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      bytesLeft -= rest.length
      // Only the stream writes all characters correctly to a Windows terminal.
      if (stream || isTerminal || bytesLeft < 0) return wait(rest)
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
      } catch (error) {
        return codeOf(error) === 'EAGAIN' ? wait(rest) : fail(outputFailure(error))
      }
    },
  }
}

/** `node:tty` costs 2 ms, and files, pipes and /dev/null are never terminals. */
export function isTty(descriptor: number): boolean {
  const rdev = descriptorStats(descriptor)?.rdev
  if (!rdev || rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false
  return (require('node:tty') as typeof import('node:tty')).isatty(descriptor)
}

/** Undefined for a closed descriptor. */
export function descriptorStats(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor)
  } catch {
    return undefined
  }
}

/** How long a reader can take the rest after an interruption. */
const graceMs = 1000

/** Rejects if the reader is gone, or too slow after an interruption. */
function writeStream(stream: Writable, rest: string | Uint8Array, interrupted: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const startDeadline = () => {
      timer = setTimeout(() => reject(interrupted.reason), graceMs)
    }
    if (interrupted.aborted) startDeadline()
    else interrupted.addEventListener('abort', startDeadline, { once: true })
    stream.write(rest, error => {
      interrupted.removeEventListener('abort', startDeadline)
      clearTimeout(timer)
      if (error) reject(outputFailure(error))
      else resolve()
    })
  })
}

/** A failed stream rejects all later writes. */
function outputFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new ReaderGone()
  return cannotWrite('The output cannot be written', error, 'Check the file or device that the output goes to')
}
