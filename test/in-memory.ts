/** Requests and responses without a network. */
import type { Dispatcher as Undici } from 'undici'
import type { Dispatcher } from '../src/host.ts'
import { encode } from '../src/json/exact.ts'

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** `lost`: the connection breaks before a response. */
export type Answered = Reply | 'lost'

export const reply = (status: number, body?: unknown): Reply =>
  body === undefined ? { status } : { status, headers: { 'content-type': 'application/json' }, body: encode(body) }

/** An error in the service's own words. */
export function refusal(status: number): Reply {
  const words: Record<number, readonly [type: string, code: string, detail: string]> = {
    400: ['validation_error', 'invalid_input', 'Malformed request.'],
    401: ['authentication_error', 'authentication_failed', 'Incorrect authentication credentials.'],
    403: ['authentication_error', 'permission_denied', 'You do not have permission to perform this action.'],
    404: ['invalid_request', 'not_found', 'Not found.'],
    405: ['invalid_request', 'method_not_allowed', 'Method not allowed.'],
    429: ['throttled_error', 'throttled', 'Request was throttled.'],
  }
  const [type, code, detail] = words[status] ?? ['server_error', 'error', 'A server error occurred.']
  return reply(status, { type, code, detail, attr: null })
}

export const page = (results: readonly unknown[]): Reply =>
  reply(200, { count: results.length, next: null, previous: null, results })

/** Replaces the network, so that requests arrive in the same order each time. */
export function dispatcherOf(answer: (asked: Asked) => Answered): Dispatcher {
  return {
    dispatch({ origin, path, method, headers, body }, handler) {
      let isAborted = false
      const controller = controllerOf(() => {
        isAborted = true
      })
      const fail = (code: string) => handler.onResponseError?.(controller, Object.assign(new Error(code), { code }))
      setImmediate(() => {
        handler.onRequestStart?.(controller, {})
        // As undici does: nothing is sent.
        if (isAborted) return fail('UND_ERR_ABORTED')
        const answered = answer({ method, url: new URL(path, origin), headers, body: body ? String(body) : '' })
        if (answered === 'lost') return fail('ECONNRESET')
        handler.onResponseStart?.(controller, answered.status, answered.headers ?? {}, '')
        if (answered.body !== undefined) handler.onResponseData?.(controller, Buffer.from(answered.body))
        handler.onResponseEnd?.(controller, {})
      })
      return true
    },
    destroy: async () => undefined,
  }
}

export function controllerOf(abort: (reason: Error) => void): Undici.DispatchController {
  return { abort, aborted: false, paused: false, reason: null, pause: () => undefined, resume: () => undefined }
}
