/** The sandbox over HTTP, for anything else that speaks it. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UnavailableError, UsageError } from '../errors.ts'
import type { Request, Response } from '../http/message.ts'
import type { Sandbox } from './open.ts'

export interface Listening {
  /** Ends in a slash. */
  readonly baseUrl: string
  /** Stops listening and ends every connection. */
  close(): Promise<void>
}

export interface Listen {
  /** 0 picks a free one. */
  readonly port: number
  readonly host: string
}

/** What `sandbox serve` prints once it listens. */
export interface Greeting {
  readonly base_url: string
  readonly api_key: string
  readonly project: string
}

export function greeting(sandbox: Sandbox, { baseUrl }: Listening): Greeting {
  // As people write it before a path: "$base_url/api/".
  return { base_url: baseUrl.replace(/\/$/, ''), api_key: sandbox.key, project: sandbox.project }
}

/** The largest body that is read, in bytes. */
const largestBody = 20 * 1024 * 1024

/** Starts to listen. Throws `UsageError` for a port that cannot be had. */
export async function serve(sandbox: Sandbox, { port, host }: Listen): Promise<Listening> {
  const { createServer } = await import('node:http')
  // Longer than clients keep a connection for another request.
  const server = createServer({ keepAlive: true, keepAliveTimeout: 65_000 })
  await listen(server, port, host)
  const { port: own } = server.address() as AddressInfo
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${own}/`
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    answer(sandbox, baseUrl, incoming, outgoing).catch(() => outgoing.destroy())
  })
  return {
    baseUrl,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    if (port < 0 || port > 65_535) reject(new Error('ports go from 0 to 65535'))
    else server.listen(port, host, resolve)
  }).catch((cause: unknown) => {
    throw new UsageError(`Port ${port} cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      hint: 'Give another one, or --port 0 for any that is free',
      cause,
    })
  })
}

async function answer(sandbox: Sandbox, baseUrl: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const body = await readBody(incoming)
  if (body === undefined) return fail(outgoing, 413, { code: 'too_large', detail: 'The body is too large.' })
  const request = requestOf(incoming, baseUrl, body)
  if (!request) return fail(outgoing, 400, { code: 'invalid_input', detail: 'The request has no path.' })
  try {
    await write(await sandbox.send(request), outgoing)
  } catch (error) {
    // No answer, or only a part of one: to whoever asked, the connection is gone.
    if (error instanceof UnavailableError || outgoing.headersSent) outgoing.destroy()
    else fail(outgoing, 500, { code: 'error', detail: error instanceof Error ? error.message : String(error) })
  }
}

function fail(outgoing: ServerResponse, status: number, { code, detail }: { code: string; detail: string }): void {
  const type = status < 500 ? 'invalid_request' : 'server_error'
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  outgoing.end(JSON.stringify({ type, code, detail, attr: null }))
}

/** Undefined where it is too large: read to its end all the same, or the answer would find nobody listening. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= largestBody) chunks.push(chunk)
  }
  return length > largestBody ? undefined : Buffer.concat(chunks).toString()
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage, baseUrl: string, body: string) {
  // Links lead to the host that was asked, which has several names. Two slashes would be read as another one.
  const own =
    headers.host !== undefined && URL.canParse(`http://${headers.host}/`) ? `http://${headers.host}/` : baseUrl
  if (!url.startsWith('/') || url.startsWith('//') || !URL.canParse(url, own)) return undefined
  const request: Request = {
    method,
    url: new URL(url, own),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: body === '' ? undefined : body,
    effect: method === 'GET' ? 'read' : 'act',
    destroys: method === 'DELETE',
  }
  return request
}

/** Passes the body on as fast as it is taken. */
async function write({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, headers)
  for await (const chunk of body) {
    // Once it has left: what breaks off then, breaks off behind it.
    await new Promise<void>((resolve, reject) => outgoing.write(chunk, error => (error ? reject(error) : resolve())))
  }
  outgoing.end()
}
