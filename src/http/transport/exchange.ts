import type { DispatchController, DispatchHandler } from '../../dispatcher.ts'
import { notTheService, RejectedError } from '../../errors.ts'
import { emptyBody } from '../body.ts'
import { type Request, type Response, shownAddress } from '../message.ts'
import { ClosedJson } from './closed-json.ts'
import { gunzip } from './gunzip.ts'
import { Stopwatch } from './stopwatch.ts'
import { coded, interrupted, timedOut, transportError } from './transport-errors.ts'

export interface ExchangeOptions {
  readonly timeout: number
  readonly proxy: URL | undefined
  readonly onArrived: (bytes: number) => void
  readonly onOver: (exchange: Exchange) => void
}

/** Above and below so many unread bytes, the server is asked to pause or to continue. */
const pauseAbove = 256 * 1024
const resumeBelow = 64 * 1024

/** Bytes of a decompressed answer. */
const largestAnswer = 64 * 1024 * 1024
const largestPage = 512 * 1024 * 1024

/** Other texts of the service are not repeated: they may hold the key. */
const encodings: ReadonlySet<string> = new Set(['br', 'compress', 'deflate', 'zstd'])

const hintOnEncoding = 'Something between here and the service changes its answers: check the base URL and the proxy'

type Step = IteratorResult<Uint8Array>

interface Waiter {
  resolve(step: Step): void
  reject(reason: unknown): void
}

export class Exchange implements DispatchHandler, AsyncIterableIterator<Uint8Array> {
  /** Resolves with the first bytes of the body, or at the end of an empty one. */
  readonly response: Promise<Response>
  readonly #request: Request
  readonly #options: ExchangeOptions
  readonly #stopwatch = new Stopwatch()
  #resolve!: (response: Response) => void
  #reject!: (reason: unknown) => void
  #controller: DispatchController | undefined
  #state: 'asked' | 'headed' | 'answered' | 'ended' | 'failed' = 'asked'
  #head: Pick<Response, 'status' | 'headers'> | undefined
  /** Only for an answer that ends where the connection does. */
  #closedJson: ClosedJson | undefined
  #failure: unknown
  #chunks: Uint8Array[] = []
  #size = 0
  #paused = false
  #waiter: Waiter | undefined

  constructor(request: Request, options: ExchangeOptions) {
    this.#request = request
    this.#options = options
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Ends a request that takes too long; called `ticks` times within the timeout. */
  checkTime(): void {
    this.#stopwatch.check(() => this.abort(timedOut(this.#progress())))
  }

  get afterInterrupt(): boolean {
    return this.#request.afterInterrupt ?? false
  }

  get isOver(): boolean {
    return this.#state === 'ended' || this.#state === 'failed'
  }

  abort(reason: Error): void {
    this.#fail(interrupted(reason, this.#progress()))
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: DispatchController): void {
    try {
      // It may have waited for a connection.
      if (this.#state === 'asked') this.#request.check?.()
    } catch (error) {
      this.#fail(error)
    }
    this.#controller = controller
    // Connecting has a time limit of its own, and the wait for a connection has none: the requests before it have.
    if (this.#state === 'asked') this.#stopwatch.restart()
    if (this.#state === 'failed') controller.abort(this.#failure instanceof Error ? this.#failure : new Error())
  }

  onResponseStart(
    _: DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ) {
    if (status < 200 || this.#state !== 'asked') return
    this.#state = 'headed'
    this.#head = { status, headers: joined(headers) }
    if (hasNoLength(this.#head)) this.#closedJson = new ClosedJson()
  }

  onResponseData(controller: DispatchController, chunk: Uint8Array): void {
    this.#options.onArrived(chunk.length)
    if (this.#state === 'headed') this.#begin()
    this.#closedJson?.push(chunk)
    const waiter = this.#waiter
    if (waiter) {
      this.#waiter = undefined
      this.#stopwatch.stop()
      waiter.resolve({ done: false, value: chunk })
    } else if (this.#state === 'answered') {
      this.#chunks.push(chunk)
      this.#size += chunk.length
      if (this.#size > pauseAbove && !this.#paused) {
        this.#paused = true
        controller.pause()
      }
    }
  }

  onResponseEnd(): void {
    if (this.#isCut()) this.onResponseError(undefined, coded('UND_ERR_SOCKET'))
    if (this.#state === 'headed') this.#answer(emptyBody)
    if (this.#state === 'answered') this.#end()
  }

  onResponseError(_: unknown, error: Error): void {
    // The parser reports a 204 with a content length as cut off.
    if (this.#head?.status === 204 || this.#head?.status === 304) this.onResponseEnd()
    else this.#fail(transportError(error, this.#progress()))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Step> {
    const chunk = this.#chunks.shift()
    if (chunk) {
      this.#size -= chunk.length
      if (this.#paused && this.#size <= resumeBelow) {
        this.#paused = false
        this.#controller?.resume()
      }
      return Promise.resolve({ done: false, value: chunk })
    }
    if (this.#state === 'ended') return Promise.resolve({ done: true, value: undefined })
    if (this.#state === 'failed') return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
      this.#stopwatch.start()
    })
  }

  return(): Promise<Step> {
    this.#chunks = []
    if (this.#state === 'headed' || this.#state === 'answered') {
      this.#end()
      this.#controller?.abort(new Error('Not read to its end'))
    }
    return Promise.resolve({ done: true, value: undefined })
  }

  /** Headers may name an encoding even for an empty body. */
  #begin(): void {
    const { status = 0, headers } = this.#head ?? {}
    const encoding = headers?.['content-encoding']?.toLowerCase().trim() || 'identity'
    if (encoding === 'identity') this.#answer(this)
    else if (encoding === 'gzip' || encoding === 'x-gzip') this.#answer(this.#decoded())
    else {
      if (status < 300) this.#reject(this.#refusal(inEncoding(encoding), hintOnEncoding))
      else this.#answer(emptyBody)
      void this.return()
    }
  }

  /** JSON that answers a read is never empty. */
  #isCut(): boolean {
    const { effect, method } = this.#request
    const isJson = /\bjson\b/i.test(this.#head?.headers['content-type'] ?? '')
    const isMissing = this.#state === 'headed' && effect === 'read' && method !== 'HEAD' && isJson
    return this.#closedJson !== undefined && (this.#closedJson.isCut || isMissing)
  }

  #decoded(): AsyncIterableIterator<Uint8Array> {
    const most = this.#request.isPage ? largestPage : largestAnswer
    return gunzip(this, {
      most,
      onArrived: this.#options.onArrived,
      tooLarge: () => this.#refusal(`more than ${most / 1024 ** 2} MB when it is decompressed`, 'Ask for less at once'),
      broken: error => transportError(error, this.#progress()),
    })
  }

  #answer(body: Response['body']): void {
    this.#state = 'answered'
    this.#stopwatch.stop()
    const { status, headers } = this.#head ?? {}
    if (status !== undefined && headers) this.#resolve({ status, headers, body })
  }

  #end(): void {
    this.#state = 'ended'
    this.#over()
    this.#waiter?.resolve({ done: true, value: undefined })
    this.#waiter = undefined
  }

  #fail(reason: unknown): void {
    if (this.#state === 'ended' || this.#state === 'failed') return
    // An error status is enough; reading the body then fails.
    if (this.#state === 'headed' && (this.#head?.status ?? 0) >= 300) this.#answer(this)
    this.#state = 'failed'
    this.#failure = reason
    this.#over()
    this.#reject(reason)
    this.#waiter?.reject(reason)
    this.#waiter = undefined
  }

  #over(): void {
    this.#stopwatch.stop()
    this.#options.onOver(this)
  }

  #progress() {
    const { proxy, timeout } = this.#options
    const [sent, answered] = [this.#controller !== undefined, this.#head !== undefined]
    return { request: this.#request, proxy, timeout, sent, answered }
  }

  #refusal(what: string, hint: string): RejectedError {
    const { method, url } = this.#request
    const facts = { status: this.#head?.status, code: notTheService, method, url: shownAddress(url) }
    return new RejectedError(`Unexpected response: ${what}`, { ...facts, hint })
  }
}

function inEncoding(name: string): string {
  return encodings.has(name) ? `encoded as "${name}"` : 'in an unknown encoding'
}

function hasNoLength({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return status !== 204 && status !== 304 && !('content-length' in headers) && !('transfer-encoding' in headers)
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const one: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    const key = name.toLowerCase()
    // Cookies contain commas.
    const between = key === 'set-cookie' ? '\n' : ', '
    if (value !== undefined) one[key] = typeof value === 'string' ? value : value.join(between)
  }
  return one
}
