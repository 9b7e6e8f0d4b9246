import { connect } from 'node:net'

/** What comes back for these bytes until the connection ends; `leave` ends it from here once they are sent. */
export function raw(port: number, text: string, how?: 'leave'): Promise<string> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, () => {
        if (how === 'leave') socket.destroy()
      })
    })
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}
