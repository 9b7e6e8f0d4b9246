import type { Socket } from 'node:net'
import type { Connector } from 'undici/lib/dispatcher/client.js'

/**
 * Answers such as `100 Continue` and `103 Early Hints` come before the answer itself. undici ends the connection at a
 * 100 that it did not ask for.
 */
export function skippingInterim(connector: Connector): Connector {
  return (to, callback) =>
    connector(to, (error, socket) => {
      if (socket) skipInterim(socket)
      callback?.(error, socket)
    })
}

function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket)
  let held: Buffer = Buffer.alloc(0)
  // Bytes that were written when the last answer began: without another request no other answer begins.
  let written = 0
  socket.read = (size?: number) => {
    // The stream itself asks for 0 bytes, so that more arrives.
    if (size !== undefined) return read(size)
    for (let chunk = read(); chunk !== null; chunk = read()) {
      if (socket.bytesWritten === written) return chunk
      held = afterInterim(Buffer.concat([held, chunk]))
      if (mayBeInterim(held)) continue
      const answer = held
      held = Buffer.alloc(0)
      written = socket.bytesWritten
      return answer
    }
    return null
  }
}

/** A 101 is no interim answer: another protocol follows it. */
const interim = /^HTTP\/1\.[01] 1(?!01)/

const longest = 16 * 1024

function afterInterim(bytes: Buffer): Buffer {
  const end = interim.test(startOf(bytes)) ? bytes.indexOf('\r\n\r\n') : -1
  return end < 0 ? bytes : afterInterim(bytes.subarray(end + 4))
}

function mayBeInterim(bytes: Buffer): boolean {
  const start = startOf(bytes)
  return start.length < 12 ? isBeginning(start) : interim.test(start) && bytes.length < longest
}

function isBeginning(start: string): boolean {
  return ['HTTP/1.1 1', 'HTTP/1.0 1'].some(line => line.startsWith(start) || start.startsWith(line))
}

function startOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 12)
}
