import type { Dispatcher } from '../dispatcher.ts'
import { UnexpectedError } from '../errors.ts'
import { Exchange } from './exchange.ts'
import type { Request, Send } from './message.ts'
import { proxyFor, proxyToken } from './proxy.ts'

export interface TransportOptions {
  readonly timeout: number
  readonly userAgent: string
  readonly connections: number
  /** Undefined: no proxy. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined
  readonly caFile?: string | undefined
  /** Used instead of undici; `close` leaves it open. */
  readonly dispatcher?: Dispatcher | undefined
  /** The reason with which all open requests are rejected. */
  readonly signal: AbortSignal
}

export interface Transport {
  readonly send: Send
  close(): Promise<void>
}

interface Route {
  readonly dispatcher: Dispatcher
  readonly proxy?: URL
}

export function createTransport(options: TransportOptions): Transport {
  const { timeout, userAgent, signal } = options
  const routes = new Map<string, Promise<Route>>()
  const live = new Set<Exchange>()
  const onOver = (exchange: Exchange) => void live.delete(exchange)
  const abortAll = (reason: Error) => {
    for (const exchange of live) exchange.abort(reason)
  }
  const interrupt = () => abortAll(signal.reason)
  signal.addEventListener('abort', interrupt)

  return {
    async send(request) {
      const { origin } = request.url
      const route = routes.get(origin) ?? routeTo(request.url, options)
      routes.set(origin, route)
      const { dispatcher, proxy } = await route
      signal.throwIfAborted()
      const exchange = new Exchange({ request, timeout, proxy, onOver })
      live.add(exchange)
      try {
        dispatcher.dispatch(dispatched(request, userAgent), exchange)
      } catch (error) {
        // The message of the error may hold the key.
        exchange.onResponseError(undefined, new Error('Not taken', { cause: error }))
      }
      return exchange.response
    },
    async close() {
      signal.removeEventListener('abort', interrupt)
      // Idle connections end by themselves; closing them takes 3 ms.
      if (live.size === 0) return
      abortAll(new UnexpectedError('The connection was closed while a request was under way'))
      for (const route of routes.values()) {
        const opened = await route.catch(() => undefined)
        if (opened && opened.dispatcher !== options.dispatcher) await opened.dispatcher.destroy()
      }
      routes.clear()
    },
  }
}

function dispatched({ method, url, headers, body }: Request, userAgent: string) {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: {
      accept: 'application/json',
      ...headers,
      'user-agent': userAgent,
      // A small compressed answer could expand to fill the memory.
      'accept-encoding': 'identity',
    },
    body: body ?? null,
  }
}

async function routeTo(
  url: URL,
  { dispatcher, env = {}, timeout, connections, caFile }: TransportOptions,
): Promise<Route> {
  if (dispatcher) return { dispatcher }
  const proxy = proxyFor(url, env)
  // undici's timers also count the time in which our reader pauses.
  const settings = {
    connections,
    pipelining: 1,
    allowH2: false,
    connectTimeout: timeout,
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const { default: Agent } = await import('undici/lib/dispatcher/agent.js')
  if (url.protocol === 'http:') {
    return proxy ? { dispatcher: forwarding(new Agent(settings), proxy), proxy } : { dispatcher: new Agent(settings) }
  }
  const { connectDirectly, trusting } = await import('./tls.ts')
  const connectorFor = proxy ? (await import('./tunnel.ts')).tunnelThrough(proxy, timeout) : connectDirectly(timeout)
  const own = caFile === undefined ? [] : await (await import('./authorities.ts')).readAuthorities(caFile)
  return {
    dispatcher: new Agent({ ...settings, connect: trusting(connectorFor, own, env) }),
    ...(proxy ? { proxy } : {}),
  }
}

/** The proxy is asked for the whole address, and sees all of the request. */
function forwarding(agent: Dispatcher, proxy: URL): Dispatcher {
  const token = proxyToken(proxy)
  return {
    dispatch: (options, handler) =>
      agent.dispatch(
        {
          ...options,
          origin: proxy.origin,
          path: options.origin + options.path,
          headers: {
            ...options.headers,
            host: new URL(options.origin).host,
            ...(token ? { 'proxy-authorization': token } : {}),
          },
        },
        handler,
      ),
    destroy: () => agent.destroy(),
  }
}
