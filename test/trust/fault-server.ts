/** A server over raw sockets, where each fault has a path of its own and every request is remembered. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface Asked {
  readonly method: string
  /** Path and query behind the fault's own prefix. */
  readonly path: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Answers one request, on a connection that it may end as it likes. */
export type Fault = (socket: Socket, asked: Asked) => unknown

export interface FaultServer {
  /** A base URL under which every request meets the fault, and the requests that came there. */
  meet(fault: Fault): { readonly url: string; readonly asked: readonly Asked[] }
  readonly url: string
  /** Every request that came in so far, whatever its path, as it stood. */
  readonly heard: readonly Asked[]
  close(): Promise<void>
}

export async function startFaults(): Promise<FaultServer> {
  const met = new Map<string, { fault: Fault; asked: Asked[] }>()
  const heard: Asked[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    void serve(socket, met, heard)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    url,
    heard,
    meet(fault) {
      const name = String(met.size)
      const asked: Asked[] = []
      met.set(name, { fault, asked })
      return { url: `${url}${name}/`, asked }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

type Met = ReadonlyMap<string, { readonly fault: Fault; readonly asked: Asked[] }>

async function serve(socket: Socket, met: Met, heard: Asked[]): Promise<void> {
  const received: Buffer[] = []
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    received.push(chunk)
    const asked = requestIn(Buffer.concat(received).toString('latin1'))
    if (!asked) continue
    heard.push(asked)
    // A proxy is asked for the whole address.
    const [, name = '', path = ''] = /^(?:http:\/\/[^/]+)?\/(\d+)(.*)$/s.exec(asked.path) ?? []
    const place = met.get(name)
    if (!place) return void socket.destroy()
    place.asked.push({ ...asked, path })
    return void place.fault(socket, { ...asked, path })
  }
}

/** The request, when all of it is there. */
function requestIn(text: string): Asked | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const body = text.slice(end + 4)
  return body.length < Number(headers['content-length'] ?? 0) ? undefined : { method, path, headers, body }
}
