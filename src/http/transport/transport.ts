import { type Failure, UnexpectedError } from '../../errors.ts'
import type { Dispatcher, DispatchOptions } from '../../host.ts'
import type { Request, Sent } from '../message.ts'
import { Exchange } from './exchange.ts'
import { type DispatcherOptions, openDispatcher } from './open-dispatcher.ts'
import { proxyFor } from './proxy.ts'
import type { Progress } from './transport-error.ts'

interface TransportOptions extends DispatcherOptions {
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
  let hasWritten = false

  return {
    async send(request: Request): Promise<Sent> {
      opening ??= open(request.url, options)
      const { dispatcher, proxy } = await opening
      signal.throwIfAborted()
      hasWritten ||= request.effect !== 'read'
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
    hasWritten: () => hasWritten,
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
