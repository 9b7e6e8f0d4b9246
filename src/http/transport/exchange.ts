import type { DispatchController, DispatchHandler } from '../../dispatcher.ts'
import { RejectedError } from '../../errors.ts'
import { type Request, type Response, shownAddress } from '../message.ts'
import { interrupted, type Progress, transportError } from './transport-error.ts'

/** Bytes of one answer, also when it is decompressed. */
export const largestAnswer = 256 * 1024 * 1024

type Headers = Readonly<Record<string, string | string[] | undefined>>

export class Exchange implements DispatchHandler {
  readonly answer: Promise<Response>
  readonly #progress: Progress
  readonly #chunks: Buffer[] = []
  #resolve!: (response: Response) => void
  #reject!: (reason: unknown) => void
  #controller: DispatchController | undefined
  #aborted: Error | undefined
  #size = 0
  #isEnded = false
  #status = 0
  #headers: Response['headers'] = {}

  constructor(progress: Progress) {
    this.#progress = progress
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  abort(reason: Error): void {
    if (this.#isEnded) return
    this.#aborted = reason
    this.#reject(interrupted(reason, this.#progress))
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: DispatchController): void {
    // It may have waited for a connection.
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
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > largestAnswer) this.abort(tooLarge(this.#progress.request))
  }

  onResponseEnd(): void {
    this.#isEnded = true
    const response = { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks) }
    // undici frees the connection in the next turn of the event loop; a request made earlier would open another one.
    setImmediate(() => setImmediate(() => this.#resolve(response)))
  }

  onResponseError(_: unknown, error: Error): void {
    // The parser reports a 204 with a content length as cut off.
    if (this.#status === 204 || this.#status === 304) this.onResponseEnd()
    else this.#reject(transportError(error, this.#progress))
  }
}

export function tooLarge({ method, url }: Request): RejectedError {
  return new RejectedError('The answer is larger than 256 MB', {
    method,
    url: shownAddress(url),
    hint: 'Ask for less at once',
  })
}

function joined(headers: Headers): Response['headers'] {
  const all: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(headers)) {
    all[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value
  }
  return all
}
