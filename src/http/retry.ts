import { type Failure, RateLimitedError, UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { momentText } from '../text/moment.ts'
import { longestTimer } from '../values/duration.ts'
import { isLostResponse, orNotSent, type Request, type Response, responseIn, type Send, type Sent } from './message.ts'
import { RequestGate } from './request-gate.ts'

interface RetryOptions {
  readonly retries: number
  readonly maxWaitMs?: number | undefined
  readonly intervalMs?: number | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  readonly notice: (text: string) => void
  readonly failureOf: (request: Request, response: Response) => Failure
}

const firstPauseMs = 250
const longestPauseMs = 30_000
const defaultMaxWaitMs = 5 * 60_000

/** Retries temporary failures. The result covers all attempts: one that may have acted makes it at least `unknown`. */
export function retry(next: Send, options: RetryOptions): Send {
  const { retries, maxWaitMs: maxWait, clock, random, notice } = options
  const gate = new RequestGate(clock, options.intervalMs)

  async function wait({ isForAll, requestedMs: askedMs }: Pause, count: number, signal: AbortSignal): Promise<void> {
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (count - 1))
    const ms = askedMs || (isForAll ? pause : pause * (0.5 + random() / 2))
    if (ms > 2000) notice(waitNotice(ms, clock.now(), askedMs !== undefined))
    await clock.sleep(ms, signal)
  }

  return async request => {
    const caller = {}
    const { signal = options.signal, aroundAttempt = attempt => attempt() } = request
    const longestWait = Math.min(maxWait ?? request.maxWaitMs ?? defaultMaxWaitMs, longestTimer)
    let mayHaveActed = false
    const attempt = async (count: number): Promise<Sent> => {
      await gate.take(caller, signal)
      signal.throwIfAborted()
      const numbered = count === 1 ? request : { ...request, attempt: count }
      return aroundAttempt(() => orNotSent(async () => usable(request, await next(numbered), options)))
    }
    const worst = (sent: Sent): Sent =>
      mayHaveActed && sent.certainty === 'not-sent' ? { ...sent, certainty: 'unknown' } : sent
    try {
      for (let count = 1; ; count++) {
        const sent = await orNotSent(() => attempt(count))
        mayHaveActed ||= sent.certainty === 'unknown'
        const pause = pauseAfter(sent, request)
        if (isResponse(sent) && !pause?.isForAll) gate.accepted(caller)
        if (!pause || count > retries || (pause.requestedMs ?? 0) > longestWait || signal.aborted) return worst(sent)
        // Another refused request is sent first.
        if (pause.isForAll && !gate.refused(caller)) continue
        const stopped = await orNotSent(async () => {
          await wait(pause, count, signal)
          return sent
        })
        if (stopped !== sent) return worst(stopped)
      }
    } finally {
      gate.leave(caller)
    }
  }
}

/** A response that does not show whether the server acted is a failure. */
function usable(request: Request, sent: Sent, { failureOf, clock }: RetryOptions): Sent {
  const response = responseIn(sent)
  if (!response) return sent
  const mayHaveActed = response.status >= 500 || isLostResponse(response.status)
  if (!mayHaveActed && response.status !== 429) return sent
  // `Retry-After` may be a date.
  const headers = { date: new Date(clock.now()).toUTCString(), ...response.headers }
  return { certainty: mayHaveActed ? 'unknown' : 'not-sent', failure: failureOf(request, { ...response, headers }) }
}

function isResponse(sent: Sent): boolean {
  return sent.certainty === 'answered' || sent.failure.details.status !== undefined
}

type Pause = NonNullable<ReturnType<typeof pauseAfter>>

/** Undefined if another attempt cannot help, or must not be made. */
function pauseAfter(sent: Sent, { effect }: Request) {
  if (sent.certainty === 'answered') return undefined
  const { failure, certainty } = sent
  const { status, retryAfterSeconds } = failure.details
  const isForAll = failure instanceof RateLimitedError || (status === 503 && retryAfterSeconds !== undefined)
  if (!isForAll && !(failure instanceof UnavailableError && failure.retryable)) return undefined
  // A 503 with `Retry-After` means that the server did not act.
  if (certainty === 'unknown' && effect === 'act' && !isForAll) return undefined
  return { isForAll, requestedMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000 }
}

function waitNotice(ms: number, now: number, isRequested: boolean): string {
  const seconds = Math.ceil(ms / 1000)
  const length = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  const end = momentText(now + ms).slice('2026-11-21 '.length)
  return isRequested
    ? `The server asks to wait ${length}, until ${end}`
    : `The server is not available. Retrying in ${length}, at ${end}`
}
