/** Repeating a `set` gives the same result; an `act` may be repeated only if the service certainly did nothing. */
export type Effect = 'read' | 'set' | 'act'

export interface Request {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly effect: Effect
  readonly destroys: boolean
  readonly attempt?: number
  /** Milliseconds: longest wait that the service may ask for, unless the user sets a limit. */
  readonly maxWait?: number
  /** Called before each attempt; throws if this process must not send it any more. */
  readonly check?: () => void
  /** Called before a wait for the next attempt if none so far can have done anything. */
  readonly undone?: () => void
}

export interface Response {
  readonly status: number
  /** Names are in lower case; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** An earlier attempt got no answer and may have reached the service. */
  readonly unanswered?: boolean
  readonly isWaitTooLong?: boolean
}

export type Send = (request: Request) => Promise<Response>

/** Without the query, which may hold names and e-mails. */
export function shownAddress({ origin, pathname }: URL): string {
  return origin + pathname
}

/** Seconds, rounded up, the largest of several. Dates are compared with the answer's `Date`: our clock may be wrong. */
export function retryAfter(headers: Readonly<Record<string, string>>, body: string, now?: number): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d+(\.\d+)?(\s*,\s*\d+(\.\d+)?)*$/.test(value)) return finite(Math.max(...value.split(',').map(Number)))
  const until = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(until)) {
    const sent = Date.parse(headers.date ?? '')
    const from = Number.isNaN(sent) ? now : sent
    return from === undefined ? undefined : Math.max(0, Math.ceil((until - from) / 1000))
  }
  const seconds = /Expected available in (\d+) seconds?/.exec(body)?.[1]
  return seconds === undefined ? undefined : finite(Number(seconds))
}

function finite(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.ceil(seconds) : undefined
}
