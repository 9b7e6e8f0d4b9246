import { connect } from 'node:net'
import type { Connector } from 'undici/lib/dispatcher/client.js'
import { coded } from './transport-errors.ts'

/** Without TLS. undici's own connector would be one more file at each start. */
export function connectPlainly(timeout: number): Connector {
  return ({ hostname, port }, callback) => {
    // Node 20 would pause each long answer after 16 KB.
    const target = { host: hostname, port: Number(port || 80), highWaterMark: 64 * 1024 }
    const socket = connect(target)
    const end = callOnce(timeout, callback, () => socket.destroy())
    socket.setNoDelay(true).setKeepAlive(true, 60_000)
    socket.on('error', error => end(error, null)).once('connect', () => end(null, socket))
  }
}

type Callback = NonNullable<Parameters<Connector>[1]>

/** Milliseconds; with the error ETIMEDOUT after them. */
export function callOnce(timeout: number, callback: Callback | undefined, onError: () => void): Callback {
  const end: Callback = (error, socket) => {
    clearTimeout(timer)
    if (error) onError()
    callback?.(error, socket)
    callback = undefined
  }
  const timer = setTimeout(() => end(coded('ETIMEDOUT'), null), timeout)
  return end
}
