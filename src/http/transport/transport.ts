import { Failure, notTheService, RejectedError, UnexpectedError } from '../../errors.ts'
import { codeOf } from '../../files/system-error.ts'
import type { Dispatcher, DispatchOptions } from '../../host.ts'
import { endsEarly } from '../../json/cursor.ts'
import { type Request, type Response, responseIn, type Sent, shownAddress } from '../message.ts'
import { Exchange, failedAt, mostResponseBytes, tooLarge } from './exchange.ts'
import { type DispatcherOptions, openDispatcher } from './open-dispatcher.ts'
import { proxyFor } from './proxy.ts'
import { coded, type Progress, transportError } from './transport-error.ts'

interface TransportOptions extends DispatcherOptions {
  readonly userAgent: string
  /** Used instead of undici; `close` does not close it. */
  readonly dispatcher: Dispatcher | undefined
}

/** An incomplete response is a failure. */
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
        return await readable(await exchange.sent, progress)
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

async function readable(sent: Sent, progress: Progress): Promise<Sent> {
  const response = responseIn(sent)
  if (!response) return sent
  const { status, headers, body } = response
  const { proxy, request } = progress
  if (status === 407 && proxy && request.url.protocol === 'http:') {
    // A proxy that requires a user name and a password has forwarded nothing.
    progress.isSent = false
    return failedAt(progress, transportError(coded('UND_ERR_PRX_407'), progress))
  }
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (body.length === 0) return sent
  if (encoding === 'identity') {
    const isCut = hasNoLength(headers) && isCutJson(body)
    return isCut ? failedAt(progress, transportError(coded('UND_ERR_SOCKET'), progress)) : sent
  }
  if (/^(x-)?gzip$/.test(encoding)) {
    const whole = await unpacked(body, progress)
    return whole instanceof Failure
      ? failedAt(progress, whole)
      : { certainty: 'answered', response: { ...response, body: whole } }
  }
  if (status >= 300) return { certainty: 'answered', response: { ...response, body: Buffer.alloc(0) } }
  const failure = new RejectedError('Unexpected response: compressed, and not as gzip', {
    ...{ method: request.method, url: shownAddress(request.url), status, code: notTheService },
    hint: 'A proxy may change the responses: check the base URL and the proxy',
  })
  return { certainty: 'answered', response: failure }
}

async function unpacked(body: Buffer, progress: Progress): Promise<Buffer | Failure> {
  const { gunzip } = await import('node:zlib')
  return new Promise(resolve => {
    gunzip(body, { maxOutputLength: mostResponseBytes }, (error, whole) => {
      if (!error) resolve(whole)
      else if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') resolve(tooLarge(progress.request))
      else resolve(transportError(error, progress))
    })
  })
}

function hasNoLength(headers: Response['headers']): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
}

function isCutJson(body: Buffer): boolean {
  return /^\s*[{[]/.test(body.toString('latin1', 0, 100)) && endsEarly(body)
}
