import { fstatSync, statSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { ReaderGone } from './errors.ts'
import { cannotWrite, codeOf } from './files/system-error.ts'
import type { Output } from './host.ts'

/** Bytes that an unread pipe accepts. */
const pipeful = 64 * 1024

/** Node's stream takes 2 ms to load, so it is used only where writing to the descriptor could block. */
export function openOutput(descriptor: 1 | 2, open: () => NodeJS.WriteStream, interrupted: AbortSignal): Output {
  const isTerminal = isTty(descriptor)
  let room = isPipe(descriptor) ? pipeful : Number.POSITIVE_INFINITY
  let stream: NodeJS.WriteStream | undefined
  const fail = (error: unknown) => {
    // A message that cannot be written changes nothing.
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
      room -= rest.length
      // A terminal of Windows gets its characters right only from the stream.
      if (stream || isTerminal || room < 0) return wait(rest)
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest))
      } catch (error) {
        return codeOf(error) === 'EAGAIN' ? wait(rest) : fail(outputFailure(error))
      }
    },
  }
}

/** Some programs give sockets instead of pipes. */
function isPipe(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}

/** `node:tty` costs 2 ms, and files, pipes and /dev/null are never terminals. */
export function isTty(descriptor: number): boolean {
  try {
    const { rdev } = fstatSync(descriptor)
    if (rdev === 0 || rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false
    return (require('node:tty') as typeof import('node:tty')).isatty(descriptor)
  } catch {
    return false
  }
}

/** Milliseconds for a reader to take the rest after an interruption. */
const grace = 1000

/** Rejects if the reader is gone, or too slow after an interruption. */
function writeStream(stream: Writable, rest: string | Uint8Array, interrupted: AbortSignal): Promise<void> {
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
      if (error) reject(outputFailure(error))
      else resolve()
    })
  })
}

/** A failed stream rejects all later writes. */
function outputFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new ReaderGone()
  return cannotWrite('The output cannot be written', error, 'Check the destination of the output')
}
