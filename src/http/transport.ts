/** The bottom of the pipeline: requests over kept-alive connections. undici is loaded with the first of them. */

import type { Dispatcher } from '../dispatcher.ts'
import { UnexpectedError } from '../errors.ts'
import { Exchange } from './exchange.ts'
import type { Request, Send } from './message.ts'
import { proxyFor, proxyToken } from './proxy.ts'

export interface TransportOptions {
  /** Milliseconds that a server may keep us waiting for one answer: connecting, its head, every gap in its body. */
  readonly timeout: number
  readonly userAgent: string
  /** How many connections are kept open at most. */
  readonly connections: number
  /** Where the proxy variables are read from; undefined: no proxy. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined
  /** Sends in undici's place, and is left open by `close`; undici is not loaded then. */
  readonly dispatcher?: Dispatcher | undefined
  /** Ends whatever is under way; its reason is what they reject with. */
  readonly signal: AbortSignal
}

export interface Transport {
  /** Redirects are answers like any other: the key must not follow them. */
  readonly send: Send
  /** Closes all connections; what is still under way is lost. */
  close(): Promise<void>
}

/** Where requests to one origin go. */
interface Way {
  readonly dispatcher: Dispatcher
  readonly proxy?: URL
}

/** Nothing is loaded or opened before the first request. */
export function createTransport(options: TransportOptions): Transport {
  const { timeout, userAgent, signal } = options
  const ways = new Map<string, Promise<Way>>()
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
      const way = ways.get(origin) ?? wayTo(request.url, options)
      ways.set(origin, way)
      const { dispatcher, proxy } = await way
      signal.throwIfAborted()
      const exchange = new Exchange({ request, timeout, proxy, onOver })
      live.add(exchange)
      try {
        dispatcher.dispatch(dispatched(request, userAgent), exchange)
      } catch (error) {
        // Its message may hold the headers, and so the key.
        exchange.onResponseError(undefined, new Error('Not taken', { cause: error }))
      }
      return exchange.response
    },
    async close() {
      signal.removeEventListener('abort', interrupt)
      // Idle connections keep nobody waiting and end by themselves; closing them takes 3 ms at the end of every run.
      if (live.size === 0) return
      abortAll(new UnexpectedError('The connection was closed while a request was under way'))
      for (const way of ways.values()) {
        // One that never opened has told its reason to whoever asked for it.
        const opened = await way.catch(() => undefined)
        if (opened && opened.dispatcher !== options.dispatcher) await opened.dispatcher.destroy()
      }
      ways.clear()
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
      // A compressed answer can be a thousand times larger than what was sent: none is wanted.
      'accept-encoding': 'identity',
    },
    body: body ?? null,
  }
}

async function wayTo(url: URL, { dispatcher, env, timeout, connections }: TransportOptions): Promise<Way> {
  if (dispatcher) return { dispatcher }
  const proxy = env && proxyFor(url, env)
  // The time an answer may take is counted by us; undici's clocks know nothing of a reader that pauses.
  const settings = {
    connections,
    pipelining: 1,
    allowH2: false,
    connectTimeout: timeout,
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  const { default: Agent } = await import('undici/lib/dispatcher/agent.js')
  if (!proxy) return { dispatcher: new Agent(settings) }
  if (url.protocol === 'http:') return { dispatcher: forwarding(new Agent(settings), proxy), proxy }
  const { tunnelThrough } = await import('./tunnel.ts')
  return { dispatcher: new Agent({ ...settings, connect: tunnelThrough(proxy, timeout) }), proxy }
}

/** Plain http through a proxy: it is asked for the whole address, and sees all of the request. */
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
