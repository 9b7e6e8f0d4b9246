import type { Writable } from 'node:stream'
import { ReaderGone } from '../errors.ts'
import { cannotWrite, codeOf } from './system-error.ts'

/** Milliseconds for a reader to take the rest after an interruption. */
const grace = 1000

/** Rejects if the reader is gone, or too slow after an interruption. */
export function writeStream(stream: Writable, rest: string | Uint8Array, interrupted: AbortSignal): Promise<void> {
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
export function outputFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return new ReaderGone()
  return cannotWrite('The output cannot be written', error, 'Check where it goes')
}
