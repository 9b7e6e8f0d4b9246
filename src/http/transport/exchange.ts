import { type Failure, RejectedError } from '../../errors.ts'
import type { DispatchController, DispatchHandler } from '../../host.ts'
import { type Request, type Response, type Sent, shownAddress } from '../message.ts'
import { interrupted, type Progress, transportError } from './transport-error.ts'

export const mostResponseBytes = 256 * 1024 * 1024

type Headers = Readonly<Record<string, string | string[] | undefined>>

export class Exchange implements DispatchHandler {
  readonly sent: Promise<Sent>
  readonly #progress: Progress
  /** Chunks are copied into it, so that they can be freed at once. */
  #body = Buffer.alloc(0)
  #resolve!: (sent: Sent) => void
  #controller: DispatchController | undefined
  #aborted: Failure | undefined
  #size = 0
  #isEnded = false
  #status = 0
  #headers: Response['headers'] = {}

  constructor(progress: Progress) {
    this.#progress = progress
    this.sent = new Promise(resolve => {
      this.#resolve = resolve
    })
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

  onRequestStart(controller: DispatchController): void {
    // The run may have stopped while the request waited for a connection.
    const { signal } = this.#progress.request
    if (signal?.aborted) this.abort(signal.reason)
    if (this.#aborted) controller.abort(this.#aborted)
    this.#controller = controller
    this.#progress.isSent = true
  }

  onResponseStart(_: DispatchController, status: number, headers: Headers): void {
    if (status < 200) return
    this.#progress.isAnswered = true
    this.#status = status
    this.#headers = joined(headers)
  }

  onResponseData(_: DispatchController, chunk: Buffer): void {
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
export function failedAt({ isSent }: Progress, failure: Failure): Sent {
  return { certainty: isSent ? 'unknown' : 'not-sent', failure }
}

export function tooLarge({ method, url }: Request): RejectedError {
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
