import type { Connector } from 'undici/lib/dispatcher/client.js'
import type { Dispatcher } from '../../dispatcher.ts'
import { UnexpectedError } from '../../errors.ts'
import type { Request, Response, Send } from '../message.ts'
import type { ClientCertificate } from './client-certificate.ts'
import { connectPlainly } from './connect.ts'
import { Connections } from './connections.ts'
import { Exchange, type ExchangeOptions } from './exchange.ts'
import { proxyNames, proxyToken, proxyVariable } from './proxy.ts'
import { skippingInterim } from './skip-interim.ts'
import { ticks } from './stopwatch.ts'

export interface TransportOptions {
  readonly timeout: number
  readonly userAgent: string
  /** Undefined means no proxy. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined
  readonly caFile?: string | undefined
  /** For the service only, never for a proxy. */
  readonly certificate?: ClientCertificate | undefined
  /** Used instead of undici; `close` does not close it. */
  readonly dispatcher?: Dispatcher | undefined
  readonly collectGarbage?: (() => void) | undefined
  readonly signal: AbortSignal
}

export interface Transport {
  readonly send: Send
  hasWritten(): boolean
  close(): Promise<void>
}

/** Milliseconds. */
const longestAfterInterrupt = 5000

const collectedAfter = 2 * 1024 * 1024

interface Route extends ExchangeOptions {
  readonly dispatcher: Dispatcher
}

export function createTransport(options: TransportOptions): Transport {
  const { timeout, userAgent, signal } = options
  const opening = new Map<string, Promise<Route>>()
  const routes = new Map<string, Route>()
  // Not a Set: V8 keeps its old tables, and every request of a run with them, until a full garbage collection.
  let live: readonly Exchange[] = []
  const onOver = (exchange: Exchange) => {
    live = live.filter(one => one !== exchange)
  }
  let arrived = 0
  const onArrived = (bytes: number) => {
    arrived += bytes
    if (arrived < collectedAfter) return
    arrived = 0
    options.collectGarbage?.()
  }
  const abortAll = (reason: Error, isMeant: (exchange: Exchange) => boolean = () => true) => {
    for (const exchange of live) if (isMeant(exchange)) exchange.abort(reason)
  }
  let isOver = false
  const interrupt = () => {
    abortAll(signal.reason, exchange => !exchange.afterInterrupt)
    setTimeout(() => {
      isOver = true
      abortAll(signal.reason)
    }, longestAfterInterrupt).unref()
  }
  signal.addEventListener('abort', interrupt)
  // One timer serves all requests; it does not keep the process alive.
  const timer = setInterval(() => {
    for (const exchange of live) exchange.checkTime()
  }, timeout / ticks).unref()

  const open = async ({ url }: Request): Promise<Route> => {
    const { dispatcher, env = {} } = options
    const isProxied = !dispatcher && proxyNames(url).some(one => proxyVariable(env, one))
    const proxy = isProxied ? (await import('./choose-proxy.ts')).proxyFor(url, env) : undefined
    const route = {
      dispatcher: await dispatcherFor(url, proxy, options),
      proxy,
      timeout,
      onArrived,
      onOver,
    }
    routes.set(url.origin, route)
    return route
  }
  let hasWritten = false
  const exchange = (request: Request, origin: string, route: Route): Promise<Response> => {
    if (signal.aborted && (isOver || !request.afterInterrupt)) return Promise.reject(signal.reason)
    hasWritten ||= request.effect !== 'read'
    const begun = new Exchange(request, route)
    live = [...live, begun]
    try {
      route.dispatcher.dispatch(dispatched(request, origin, userAgent), begun)
    } catch (error) {
      // The error message may contain the key.
      begun.onResponseError(undefined, new Error('Not taken', { cause: error }))
    }
    return begun.response
  }

  return {
    send(request) {
      const { origin } = request.url
      const route = routes.get(origin)
      if (route) return exchange(request, origin, route)
      const opened = opening.get(origin) ?? open(request)
      opening.set(origin, opened)
      return opened.then(route => exchange(request, origin, route))
    },
    hasWritten: () => hasWritten,
    async close() {
      clearInterval(timer)
      signal.removeEventListener('abort', interrupt)
      // Idle connections end by themselves, and closing them takes 3 ms.
      if (live.length === 0) return
      abortAll(new UnexpectedError('The connection was closed while a request was under way'))
      for (const { dispatcher } of routes.values()) {
        if (dispatcher !== options.dispatcher) await dispatcher.destroy()
      }
      opening.clear()
      routes.clear()
    },
  }
}

function dispatched(request: Request, origin: string, userAgent: string) {
  const { method, url, headers, body, connections = 8 } = request
  return {
    origin,
    connections,
    path: url.pathname + url.search,
    method,
    headers: {
      accept: 'application/json',
      ...headers,
      'user-agent': userAgent,
      'accept-encoding': 'gzip',
    },
    body: body ?? null,
  }
}

async function dispatcherFor(
  url: URL,
  proxy: URL | undefined,
  { dispatcher, env = {}, timeout, caFile, certificate, signal }: TransportOptions,
): Promise<Dispatcher> {
  if (dispatcher) return dispatcher
  // undici's timers would include the time when our reader pauses.
  const settings = { pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 }
  const { default: Client } = await import('undici/lib/dispatcher/client.js')
  const isPlain = url.protocol === 'http:'
  const { origin } = isPlain && proxy ? proxy : url
  const over = (connector: Connector) =>
    new Connections(connect => new Client(origin, { ...settings, connect }), skippingInterim(connector))
  if (isPlain && proxy?.protocol !== 'https:') {
    const connections = over(connectPlainly(timeout))
    return proxy ? forwarding(connections, proxy) : connections
  }
  const { connectDirectly, trusting } = await import('./tls.ts')
  const tunnel = proxy && !isPlain ? (await import('./tunnel.ts')).tunnelThrough(proxy, timeout) : undefined
  const own = caFile === undefined ? [] : await (await import('./authorities.ts')).readAuthorities(caFile, signal)
  const client = isPlain ? undefined : certificate
  const connections = over(trusting(tunnel ?? connectDirectly(timeout), { own, env, client }))
  return proxy && isPlain ? forwarding(connections, proxy) : connections
}

/** Plain http sends the whole address and request through the proxy. */
function forwarding(connections: Dispatcher, proxy: URL): Dispatcher {
  const token = proxyToken(proxy)
  return {
    dispatch: (options, handler) =>
      connections.dispatch(
        {
          ...options,
          path: options.origin + options.path,
          headers: {
            ...options.headers,
            host: new URL(options.origin).host,
            ...(token ? { 'proxy-authorization': token } : {}),
          },
        },
        handler,
      ),
    destroy: () => connections.destroy(),
  }
}
