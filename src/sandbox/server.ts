import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UnavailableError, UsageError } from '../errors.ts'
import { codeOf, reasonOf } from '../files/system-error.ts'
import type { Request, Response } from '../http/message.ts'
import { parseUrl } from '../values/url.ts'
import type { Sandbox } from './open.ts'

interface Listening {
  readonly baseUrl: string
  close(): Promise<void>
}

interface Listen {
  readonly port: number
  readonly host: string
}

export interface Greeting {
  readonly base_url: string
  readonly api_key: string
  readonly project: string | null
}

export function greeting(sandbox: Sandbox, { baseUrl }: Listening): Greeting {
  // Without the last slash, since people write "$base_url/api/".
  return { base_url: baseUrl.replace(/\/$/, ''), api_key: sandbox.key, project: sandbox.project ?? null }
}

const largestBody = 20 * 1024 * 1024

export async function serve(sandbox: Sandbox, { port, host }: Listen): Promise<Listening> {
  const { createServer } = await import('node:http')
  // Longer than clients keep an idle connection.
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

async function listen(server: Server, port: number, host: string): Promise<void> {
  const hint = 'Give another one, or --port 0 for any that is free'
  if (port < 0 || port > 65_535) throw new UsageError(`Port ${port} cannot be used: ports go from 0 to 65535`, { hint })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((cause: unknown) => {
    const isTaken = codeOf(cause) === 'EADDRINUSE'
    const why = isTaken ? 'is in use by another program' : `cannot be used${reasonOf(cause)}`
    throw new UsageError(`Port ${port} ${why}`, { hint, cause })
  })
}

async function answer(sandbox: Sandbox, baseUrl: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const body = await readBody(incoming)
  if (body === undefined) return fail(outgoing, 413, { code: 'too_large', detail: 'The body is too large.' })
  if (!isUtf8(body)) return fail(outgoing, 400, { code: 'parse_error', detail: 'The body is not UTF-8.' })
  const request = requestOf(incoming, baseUrl, body.toString())
  if (!request) return fail(outgoing, 400, { code: 'invalid_input', detail: 'The request has no path.' })
  try {
    await write(await sandbox.send(request), outgoing)
  } catch (error) {
    if (error instanceof UnavailableError || outgoing.headersSent) outgoing.destroy()
    else fail(outgoing, 500, { code: 'error', detail: error instanceof Error ? error.message : String(error) })
  }
}

function fail(outgoing: ServerResponse, status: number, { code, detail }: { code: string; detail: string }): void {
  const type = status < 500 ? 'invalid_request' : 'server_error'
  outgoing.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  outgoing.end(JSON.stringify({ type, code, detail, attr: null }))
}

/** Undefined for a large body, which is still read, because the client could not receive the answer otherwise. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming) {
    length += chunk.length
    if (length <= largestBody) chunks.push(chunk)
  }
  return length > largestBody ? undefined : Buffer.concat(chunks)
}

function requestOf({ method = 'GET', url = '/', headers }: IncomingMessage, baseUrl: string, body: string) {
  // Links contain the requested host; a target that begins with // would name another one.
  const target = parseUrl(url, `http://${headers.host}/`) ?? parseUrl(url, baseUrl)
  if (!url.startsWith('/') || url.startsWith('//') || !target) return undefined
  const request: Request = {
    method,
    url: target,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: body === '' ? undefined : body,
    effect: method === 'GET' ? 'read' : 'act',
    destroys: method === 'DELETE',
  }
  return request
}

async function write({ status, headers, body }: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(status, headers)
  for await (const chunk of body) await send(outgoing, chunk)
  outgoing.end()
}

function send(outgoing: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => outgoing.write(chunk, error => (error ? reject(error) : resolve())))
}
