/** Opening and writing a named pipe must not block a thread, which would keep the program from ending. */
import { constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Host } from '../host.ts'
import { isDescriptorPath } from './regular-file.ts'
import { codeOf } from './system-error.ts'
import { writeStream } from './write-stream.ts'

export type PipeHost = Pick<Host, 'clock' | 'interrupted'>

/** Throws the system's error. */
export async function openPipe(path: string, host: PipeHost) {
  const fd = await openForReader(path, host)
  const stream = new Socket({ fd, readable: false, writable: true }).on('error', () => undefined)
  return {
    isTerminal: false,
    write: (chunk: string | Uint8Array) => writeStream(stream, chunk, host.interrupted),
    close: async () => void stream.destroy(),
  }
}

/** Milliseconds. */
const betweenTries = 50

/** Waits for a reader, who may come later; a descriptor that lost its reader cannot get a new one. */
async function openForReader(path: string, { clock, interrupted }: PipeHost): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if (codeOf(error) !== 'ENXIO' || isDescriptorPath(path)) throw error
    }
    await clock.sleep(betweenTries, interrupted)
  }
}
