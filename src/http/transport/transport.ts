import type { Dispatcher as Undici } from 'undici'
import { type Failure, UnexpectedError, UsageError } from '../../errors.ts'
import { chunksOf, collectAtMost } from '../../files/read-input.ts'
import { cannotRead, codeOf } from '../../files/system-error.ts'
import type { Dispatcher, DispatchOptions, Host } from '../../host.ts'
import { percentDecoded } from '../../values/url.ts'
import type { Request, Sent } from '../message.ts'
import { Exchange } from './exchange.ts'
import { proxyFor } from './proxy.ts'
import { coded, type Progress } from './transport-error.ts'

interface TransportOptions {
  readonly env: Host['env']
  /** Milliseconds to connect, to wait for a response, and for each further part of it. */
  readonly timeout: number
  readonly caFile: string | undefined
  readonly signal: AbortSignal
  readonly userAgent: string
  /** Used instead of undici; `close` does not close it. */
  readonly dispatcher: Dispatcher | undefined
}

export function createTransport(options: TransportOptions) {
  const { signal, timeout } = options
  // Not a Set, which V8 frees only in a full collection.
  const live: Exchange[] = []
  const abortAll = (reason: Failure) => {
    for (const exchange of live) exchange.abort(reason)
  }
  const interrupt = () => abortAll(signal.reason)
  signal.addEventListener('abort', interrupt)
  let opening: ReturnType<typeof open> | undefined

  return {
    async send(request: Request): Promise<Sent> {
      opening ??= open(request.url, options)
      const { dispatcher, proxy } = await opening
      signal.throwIfAborted()
      const progress: Progress = { request, timeout, proxy, isSent: false, isAnswered: false }
      const exchange = new Exchange(progress)
      live.push(exchange)
      try {
        begin(dispatcher, dispatched(request, options), exchange)
        return await exchange.result()
      } finally {
        live.splice(live.indexOf(exchange), 1)
      }
    },
    async close() {
      signal.removeEventListener('abort', interrupt)
      // Idle connections end by themselves, and closing them takes 3 ms.
      if (live.length === 0) return
      abortAll(new UnexpectedError('The connection closed during a request'))
      if (!options.dispatcher) await (await opening)?.dispatcher.destroy()
    },
  }
}

/** All requests go to one origin. */
async function open(url: URL, options: TransportOptions) {
  const proxy = proxyFor(url, options.env)
  return { proxy, dispatcher: options.dispatcher ?? (await openDispatcher(url, proxy, options)) }
}

function begin(dispatcher: Dispatcher, request: DispatchOptions, exchange: Exchange): void {
  try {
    dispatcher.dispatch(request, exchange)
  } catch (error) {
    // The error message may contain the key.
    exchange.onResponseError(undefined, new Error('Not taken', { cause: error }))
  }
}

function dispatched({ method, url, headers, body }: Request, { userAgent }: TransportOptions): DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    // Without the second part a server may respond to a request for CSV with 406.
    headers: { accept: 'application/json, */*;q=0.5', ...headers, 'user-agent': userAgent, 'accept-encoding': 'gzip' },
    body: body ?? null,
  }
}

/** All authorities of a Linux system take 250 KB. */
const mostFileBytes = 16 * 1024 * 1024

/** undici's agent, or with a proxy, its agent for tunnels or a pool of connections to the proxy. */
async function openDispatcher(
  { protocol }: URL,
  proxy: URL | undefined,
  { env, timeout, caFile, signal }: TransportOptions,
): Promise<Dispatcher> {
  const trust = caFile === undefined ? {} : { secureContext: await trusting([caFile, env.NODE_EXTRA_CA_CERTS], signal) }
  const { Agent, Pool, ProxyAgent } = await import('./undici.ts')
  const connecting = { timeout, ...trust }
  const settings = { headersTimeout: timeout, bodyTimeout: timeout, connectTimeout: timeout, connect: connecting }
  if (proxy === undefined) return new Agent(settings)
  const headers = proxyHeaders(proxy)
  if (protocol === 'http:') return forwarding(new Pool(proxy.origin, settings), proxy.origin, headers)
  return new ProxyAgent({
    ...settings,
    uri: proxy.origin,
    headers,
    proxyTls: connecting,
    requestTls: connecting,
    clientFactory: await proxyClients(timeout),
  })
}

function proxyHeaders({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const user = Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`)
  return { 'proxy-authorization': `Basic ${user.toString('base64')}` }
}

/** For http:// servers: the request names the whole address. Many proxies refuse CONNECT to any port but 443. */
function forwarding(pool: Dispatcher, proxy: string, own: Readonly<Record<string, string>>): Dispatcher {
  return {
    dispatch({ origin, path, headers, ...rest }, handler) {
      const { host } = new URL(origin)
      return pool.dispatch(
        { ...rest, origin: proxy, path: origin + path, headers: { host, ...headers, ...own } },
        handler,
      )
    },
    destroy: () => pool.destroy(),
  }
}

/** Those of undici wait 300 s for the proxy, and retry forever if it closes the connection. */
async function proxyClients(timeout: number): Promise<(origin: URL, options: object) => Undici> {
  const { Pool, connect } = await import('./undici.ts')
  return (origin, options) => {
    const pool = new Pool(origin, { ...options, headersTimeout: timeout })
    const open: typeof connect = async parameters => {
      try {
        return await connect.call(pool, parameters)
      } catch (error) {
        throw codeOf(error) === 'UND_ERR_SOCKET' ? coded('ECONNRESET') : error
      }
    }
    return Object.assign(pool, { connect: open })
  }
}

async function holdsCertificate(text: string): Promise<boolean> {
  const { X509Certificate } = await import('node:crypto')
  try {
    return /-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(text) && new X509Certificate(text).subject !== undefined
  } catch {
    return false
  }
}

/** Adds the files to the authorities of Node, which then ignores NODE_EXTRA_CA_CERTS. Throws `UsageError`. */
export async function trusting(files: readonly (string | undefined)[], signal: AbortSignal) {
  const { createSecureContext, rootCertificates } = await import('node:tls')
  const ca = [...rootCertificates]
  for (const file of files) {
    if (!file) continue
    const what = `The file of certificate authorities ${file}`
    const hint = 'Use a PEM file for ANALYTICS_CA_FILE or --ca-file of the profile'
    try {
      const own = (await collectAtMost(chunksOf(file, signal), mostFileBytes))?.toString('latin1') ?? ''
      if (!(await holdsCertificate(own))) throw new UsageError(`${what} has no certificate`, { hint })
      ca.push(own)
    } catch (cause) {
      if (signal.aborted || cause instanceof UsageError) throw cause
      throw cannotRead(what, cause, hint)
    }
  }
  return createSecureContext({ ca })
}
