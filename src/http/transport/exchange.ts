import { promisify } from 'node:util'
import type { Dispatcher as Undici } from 'undici'
import { type Failure, InterruptedError, notTheService, RejectedError } from '../../errors.ts'
import { codeOf } from '../../files/system-error.ts'
import { Cursor } from '../../json/cursor.ts'
import { Malformed } from '../../json/tokens.ts'
import { type Request, type Response, responseIn, type Sent, shownAddress } from '../message.ts'
import { coded, hintAfterWrite, type Progress, transportError } from './transport-error.ts'

const mostResponseBytes = 256 * 1024 * 1024

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** One attempt of a request. An incomplete response is a failure. */
export class Exchange implements Undici.DispatchHandler {
  readonly #sent: Promise<Sent>
  readonly #progress: Progress
  /** Chunks are copied into it, so that they can be freed at once. */
  #body = Buffer.alloc(0)
  #resolve!: (sent: Sent) => void
  #controller: Undici.DispatchController | undefined
  #aborted: Failure | undefined
  #size = 0
  #isEnded = false
  #status = 0
  #headers: Response['headers'] = {}

  constructor(progress: Progress) {
    this.#progress = progress
    this.#sent = new Promise(resolve => {
      this.#resolve = resolve
    })
  }

  async result(): Promise<Sent> {
    return readable(await this.#sent, this.#progress)
  }

  abort(reason: Failure): void {
    if (this.#isEnded) return
    this.#aborted = reason
    this.#fail(interrupted(reason, this.#progress))
    this.#controller?.abort(reason)
  }

  #fail(failure: Failure): void {
    this.#resolve(failedAt(this.#progress, failure))
  }

  onRequestStart(controller: Undici.DispatchController): void {
    // The run may have stopped while the request waited for a connection.
    const { signal } = this.#progress.request
    if (signal?.aborted) this.abort(signal.reason)
    if (this.#aborted) controller.abort(this.#aborted)
    this.#controller = controller
    this.#progress.isSent = true
  }

  onResponseStart(_: Undici.DispatchController, status: number, headers: Headers): void {
    if (status < 200) return
    this.#progress.isAnswered = true
    this.#status = status
    this.#headers = joined(headers)
  }

  onResponseData(_: Undici.DispatchController, chunk: Buffer): void {
    const size = this.#size + chunk.length
    if (size > mostResponseBytes) {
      this.abort(tooLarge(this.#progress.request))
      return
    }
    if (size > this.#body.length) {
      const announced = Number(this.#headers['content-length'] ?? 0)
      const body = Buffer.allocUnsafe(size <= announced && announced <= mostResponseBytes ? announced : size * 2)
      this.#body.copy(body)
      this.#body = body
    }
    chunk.copy(this.#body, this.#size)
    this.#size = size
  }

  onResponseEnd(): void {
    this.#isEnded = true
    const response = { status: this.#status, headers: this.#headers, body: this.#body.subarray(0, this.#size) }
    // undici frees the connection in the next turn of the event loop; a request made earlier would open another one.
    setImmediate(() => setImmediate(() => this.#resolve({ certainty: 'answered', response })))
  }

  onResponseError(_: unknown, error: Error): void {
    // The parser reports a 204 with a content length as cut off.
    if (this.#status === 204 || this.#status === 304) this.onResponseEnd()
    else this.#fail(transportError(error, this.#progress))
  }
}

/** Without a complete response, a request that was sent may have acted. */
function failedAt({ isSent }: Progress, failure: Failure): Sent {
  return { certainty: isSent ? 'unknown' : 'not-sent', failure }
}

function tooLarge({ method, url }: Request): RejectedError {
  return new RejectedError('The response is larger than 256 MB', {
    method,
    url: shownAddress(url),
    hint: 'Request less at once',
  })
}

function joined(headers: Headers): Response['headers'] {
  const all: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(headers)) {
    all[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return all
}

/** The server may still act on an interrupted request. */
function interrupted(reason: Failure, { request, isSent }: Progress): Failure {
  if (!(reason instanceof InterruptedError) || !isSent || request.effect === 'read') return reason
  return reason.with({ hint: hintAfterWrite(request) })
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
    // Without a length, a body that was cut off ends like a whole one.
    const hasLength = 'content-length' in headers || 'transfer-encoding' in headers
    if (hasLength || !isCutJson(body)) return sent
    return failedAt(progress, transportError(coded('UND_ERR_SOCKET'), progress))
  }
  if (/^(x-)?gzip$/.test(encoding)) return unpacked(response, progress)
  if (status >= 300) return { certainty: 'answered', response: { ...response, body: Buffer.alloc(0) } }
  const failure = new RejectedError('Unexpected response: compressed, and not as gzip', {
    ...{ method: request.method, url: shownAddress(request.url), status, code: notTheService },
    hint: 'A proxy may change the responses: check the base URL and the proxy',
  })
  return { certainty: 'answered', response: failure }
}

async function unpacked(response: Response, progress: Progress): Promise<Sent> {
  const { gunzip } = await import('node:zlib')
  try {
    const body = await promisify(gunzip)(response.body, { maxOutputLength: mostResponseBytes })
    return { certainty: 'answered', response: { ...response, body } }
  } catch (error) {
    const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
    return failedAt(progress, isTooLarge ? tooLarge(progress.request) : transportError(error, progress))
  }
}

function isCutJson(body: Buffer): boolean {
  if (!/^\s*[{[]/.test(body.toString('latin1', 0, 100))) return false
  try {
    new Cursor(body).skip()
    return false
  } catch (error) {
    return error instanceof Malformed && error.reason === 'cut short'
  }
}
