import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { UnavailableError, UsageError } from '../errors.ts'
import { codeOf, reasonOf } from '../files/system-error.ts'
import { parseUrl } from '../values/url.ts'
import { type Reply, type SandboxRequest, serverError } from './call.ts'

/** Throws `UnavailableError` to drop the connection. */
type Respond = (request: SandboxRequest) => Reply | Promise<Reply>

const host = '127.0.0.1'

/** The base URL has no trailing slash, because people write "$base_url/api/". */
export async function serve(wantedPort: number, respond: Respond) {
  const { createServer } = await import('node:http')
  // Clients close idle connections before this.
  const server = createServer({ keepAlive: true, keepAliveTimeout: 65_000 })
  await listen(server, wantedPort)
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://${host}:${port}`
  server.on('request', async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      const { status, headers, body } = await replyTo(incoming, baseUrl, respond)
      outgoing.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body)
    } catch (error) {
      if (error instanceof UnavailableError || outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(500, serverError.headers).end(serverError.body)
    }
  })
  const close = async () => {
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  }
  return { baseUrl, close }
}

async function listen(server: Server, port: number): Promise<void> {
  await once(server.listen(port, host), 'listening').catch((cause: unknown) => {
    const why = codeOf(cause) === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used${reasonOf(cause)}`
    throw new UsageError(`Port ${port} ${why}`, { hint: 'Give another one, or --port 0 for any that is free', cause })
  })
}

async function replyTo(incoming: IncomingMessage, baseUrl: string, respond: Respond): Promise<Reply> {
  const { method = 'GET', url: target = '/', headers } = incoming
  // It is read to its end, else the client would not receive the response.
  const body = await text(incoming)
  // Links use the requested host; a target that begins with // must not name another host.
  const url = parseUrl(`http://${headers.host}${target}`) ?? parseUrl(baseUrl + target) ?? new URL(baseUrl)
  return respond({ method, url, headers: { authorization: headers.authorization ?? '' }, body })
}
