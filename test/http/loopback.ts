/** Servers of this machine, each for one test: well-behaved ones, and sockets that send any bytes. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { failureOf } from '../../src/api/responses/failure.ts'
import { Failure } from '../../src/errors.ts'
import type { Clock } from '../../src/host.ts'
import type { Request, Response, Sent } from '../../src/http/message.ts'
import type { retry } from '../../src/http/retry.ts'
import { createTransport } from '../../src/http/transport/transport.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'

/** A request as the product makes it; `path` may carry a query. */
export function get(base: URL, path = '/api/projects/'): Request {
  return { method: 'GET', url: new URL(path, base), headers: {}, effect: 'read', destroys: false }
}

/** A transport that is closed when its test ends. */
export function transport(options: Partial<Parameters<typeof createTransport>[0]> = {}) {
  const opened = createTransport({
    timeout: 5000,
    userAgent: 'analytics/0.0.0-test',
    env: {},
    caFile: undefined,
    dispatcher: undefined,
    signal: new AbortController().signal,
    ...options,
  })
  onTestFinished(() => opened.close())
  return { ...opened, attempt: opened.send, send: async (request: Request) => responseOf(await opened.send(request)) }
}

export function answered(response: Response): Sent {
  return { certainty: 'answered', response }
}

/** Throws what it failed with. */
export function responseOf(sent: Sent): Response {
  if (sent.certainty !== 'answered') throw sent.failure
  if (sent.response instanceof Failure) throw sent.response
  return sent.response
}

/** The usual options of retries. */
export function retryOptions(clock: Clock): Parameters<typeof retry>[1] {
  return {
    retries: 4,
    maxWaitMs: 300_000,
    clock,
    random: () => 1,
    signal: new AbortController().signal,
    notice: () => undefined,
    failureOf: (request, response) => failureOf(request, response, createSecrets()),
  }
}

/** What a request that failed came to. */
export function failed(sent: Sent) {
  if (sent.certainty === 'answered') throw new Error('It was answered')
  return { certainty: sent.certainty, error: sent.failure }
}

export async function text(answer: Promise<Response>): Promise<string> {
  return (await answer).body.toString()
}

export function serve(listener: http.RequestListener): Promise<URL> {
  return listening(http.createServer(listener), 'http')
}

/** A server that is given the raw socket once the head of a request is received. */
export function serveRaw(answer: (socket: Socket) => void): Promise<URL> {
  const server = net.createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  return listening(server, 'http')
}

export function serveTls(certificate: Certificate, listener: http.RequestListener): Promise<URL> {
  return listening(https.createServer(certificate, listener), 'https')
}

export async function listening(server: net.Server, scheme: string): Promise<URL> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return new URL(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** The address of a port without a server. */
export async function closedPort(): Promise<URL> {
  const server = net.createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return new URL(`http://127.0.0.1:${port}`)
}

interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A new key and a certificate that is not trusted; undefined without openssl. */
export function selfSigned(host: string, days = '-days 2'): Certificate | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-tls-'))
  const [key, cert, asked] = ['key.pem', 'cert.pem', 'asked.pem'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const openssl = (line: string) => execFileSync('openssl', line.split(' '), { stdio: 'ignore' })
  try {
    openssl(
      `req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${host} -addext subjectAltName=${net.isIP(host) ? 'IP' : 'DNS'}:${host} -keyout ${key} -out ${asked}`,
    )
    openssl(`x509 -req -in ${asked} -signkey ${key} ${days} -copy_extensions copyall -out ${cert}`)
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A proxy that makes a tunnel to `port` for each CONNECT to any target, and records what it received. */
export async function tunnelTo(port: number) {
  const asked: { target: string | undefined; headers: http.IncomingHttpHeaders }[] = []
  const carried: Buffer[] = []
  const server = http.createServer()
  server.on('connect', (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    asked.push({ target: request.url, headers: request.headers })
    const far = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      far.write(head)
      socket.on('data', (chunk: Buffer) => carried.push(chunk)).pipe(far)
      far.on('data', chunk => carried.push(chunk)).pipe(socket)
    })
    far.on('error', () => socket.destroy())
    socket.on('error', () => far.destroy())
  })
  return { url: await listening(server, 'http'), asked, carried }
}
