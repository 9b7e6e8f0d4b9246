import { Failure } from '../errors.ts'

export interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Repeating a `set` gives the same result; an `act` may be repeated only if the service certainly did nothing. */
  readonly effect: 'read' | 'set' | 'act'
  readonly destroys: boolean
  readonly attempt?: number
  /** Longest wait that the server may ask for, unless the user sets a limit. */
  readonly maxWaitMs?: number
  /** After it fires nothing more of this request is sent. */
  readonly signal?: AbortSignal
  readonly aroundAttempt?: (attempt: () => Promise<Sent>) => Promise<Sent>
}

export interface Response {
  readonly status: number
  /** Names are in lower case; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The result of a request. The worst of its attempts counts, unless a later one was answered. */
export type Sent<R = Response> =
  /** Nothing was done: nothing reached the server, or it refused before it acted (429). */
  | { readonly certainty: 'not-sent'; readonly failure: Failure }
  /** It may have been done: no usable response came, or an error of the server (5xx). */
  | { readonly certainty: 'unknown'; readonly failure: Failure }
  | { readonly certainty: 'answered'; readonly response: R | Failure }

export type Send = (request: Request) => Promise<Sent>

/** Undefined without a complete response, and for one that is a failure. */
export function responseIn(sent: Sent): Response | undefined {
  return 'response' in sent && 'status' in sent.response ? sent.response : undefined
}

/** Turns a failure that a layer throws before it sends anything into a result. */
export async function orNotSent(send: () => Promise<Sent>): Promise<Sent> {
  try {
    return await send()
  } catch (failure) {
    if (failure instanceof Failure) return { certainty: 'not-sent', failure }
    throw failure
  }
}

/** These statuses are about the connection (too slow, wrong host, too early), not about the request. */
export function isLostResponse(status: number): boolean {
  return status === 408 || status === 421 || status === 425
}

/** Without the query, which may hold names and emails. */
export function shownAddress({ origin, pathname }: URL): string {
  return origin + pathname
}
