import { InterruptedError, UnavailableError, UnsentError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { momentText } from '../text/moment.ts'
import { longestTimer } from '../values/duration.ts'
import { type Request, type Response, retryAfter, type Send } from './message.ts'
import { Turns } from './turns.ts'

interface RetryOptions {
  readonly retries: number
  /** Milliseconds of one wait, if the user limits it; an answer that asks for a longer wait is returned unchanged. */
  readonly maxWait?: number | undefined
  readonly interval?: number | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  readonly notice: (text: string) => void
}

interface Attempt {
  readonly answer: { readonly response: Response } | { readonly failure: unknown }
  /** `later` makes all requests wait. */
  readonly verdict: 'final' | 'again' | 'later'
  /** Milliseconds that the service asks to wait. */
  readonly asked?: number | undefined
  readonly unanswered?: boolean
}

const firstPause = 250
const longestPause = 30_000
const defaultMaxWait = 5 * 60_000

/** Throws `UnsentError` only if no attempt reached the service. */
export function retry(next: Send, options: RetryOptions): Send {
  const { retries, maxWait, clock, random, signal, notice } = options
  const turns = new Turns({ interval: options.interval, clock, signal })

  async function attempt(request: Request, count: number): Promise<Attempt> {
    try {
      return judge(request, await next(count === 1 ? request : { ...request, attempt: count }), clock)
    } catch (failure) {
      return judgeFailure(request, failure)
    }
  }

  async function wait({ verdict, asked }: Attempt, count: number, caller: object): Promise<void> {
    if (verdict === 'later' && !turns.refused(caller)) return
    const pause = Math.min(longestPause, firstPause * 2 ** (count - 1))
    const ms = asked || (verdict === 'later' ? pause : pause * (0.5 + random() / 2))
    if (ms > 2000) notice(waitNotice(ms, clock.now(), asked !== undefined))
    await clock.sleep(ms, signal)
  }

  return async request => {
    const caller = {}
    let unanswered = false
    try {
      for (let count = 1; ; count++) {
        await turns.take(caller)
        request.check?.()
        const made = await attempt(request, count)
        const { answer, verdict, asked = 0 } = made
        const most = maxWait ?? request.maxWait ?? defaultMaxWait
        const isTooLong = asked > Math.min(most, longestTimer)
        const isLast = verdict === 'final' || count > retries || isTooLong || signal.aborted
        if (verdict !== 'later' && 'response' in answer) turns.accepted(caller)
        if (isLast && 'failure' in answer) throw unanswered ? maybeSent(answer.failure) : answer.failure
        unanswered ||= made.unanswered ?? false
        if (isLast && 'response' in answer)
          return { ...answer.response, ...(unanswered && { unanswered }), ...(isTooLong && { isWaitTooLong: true }) }
        if (!unanswered) request.undone?.()
        await wait(made, count, caller)
      }
    } catch (error) {
      // An interrupted wait sends nothing; only an earlier attempt may have been done.
      throw unanswered && error instanceof InterruptedError ? error.with({ unanswered }) : error
    } finally {
      turns.leave(caller)
    }
  }
}

function judge(request: Request, response: Response, { now }: Clock): Attempt {
  const { status, headers, body } = response
  const answer = { response }
  if (status < 500 && status !== 429 && !isLostAnswer(status)) return { answer, verdict: 'final' }
  const seconds = retryAfter(headers, status === 429 ? body.toString() : '', now())
  const asked = seconds === undefined ? undefined : seconds * 1000
  if (status === 429) return { answer, verdict: 'later', asked }
  if (request.effect === 'act' && (status !== 503 || asked === undefined)) return { answer, verdict: 'final' }
  const isPause = status === 503 && asked !== undefined
  return { answer, verdict: isPause ? 'later' : 'again', asked, unanswered: true }
}

/** Said of the connection, not of the request: too slow, for another host, too early. */
function isLostAnswer(status: number): boolean {
  return status === 408 || status === 421 || status === 425
}

function judgeFailure({ effect }: Request, failure: unknown): Attempt {
  const answer = { failure }
  if (!(failure instanceof UnavailableError) || failure.facts.retryable === false) return { answer, verdict: 'final' }
  if (failure instanceof UnsentError) return { answer, verdict: 'again' }
  return { answer, verdict: effect === 'act' ? 'final' : 'again', unanswered: true }
}

function maybeSent(failure: unknown): unknown {
  return failure instanceof UnsentError ? new UnavailableError(failure.message, failure.facts) : failure
}

/** Such as `The service asks to wait 17 s, until 14:03:21Z`. */
function waitNotice(ms: number, now: number, isAsked: boolean): string {
  const seconds = Math.ceil(ms / 1000)
  const length = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  const end = momentText(now + ms).slice('2026-11-21 '.length)
  return isAsked
    ? `The service asks to wait ${length}, until ${end}`
    : `The service is not available; trying again in ${length}, at ${end}`
}
