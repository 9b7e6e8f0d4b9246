import { Failure, OutOfTimeError, UnavailableError, UnsentError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { momentText } from '../text/moment.ts'
import { longestTimer } from '../values/duration.ts'
import { emptyBody, readStart } from './body.ts'
import { isLostAnswer, type Request, type Response, type Send } from './message.ts'
import { Pacer } from './pacer.ts'
import { createPause } from './pause.ts'
import { retryAfter } from './retry-after.ts'

export interface RetryOptions {
  readonly retries: number
  /** Milliseconds of one wait, if the user limits it; an answer that asks for a longer wait is returned unchanged. */
  readonly maxWait?: number | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly signal: AbortSignal
  readonly notice?: ((text: string) => void) | undefined
  readonly pacer?: Pacer
  /** If the connection breaks within so many bytes of an answer, the request counts as unanswered. */
  readonly startBytes?: number | undefined
}

type Attempt = Verdict &
  ({ readonly response: Response } | { readonly response?: undefined; readonly failure: unknown })

interface Verdict {
  /** `later` makes all requests wait. */
  readonly verdict: 'final' | 'again' | 'later'
  readonly asked?: number | undefined
  readonly unanswered?: boolean
}

const firstPause = 250
const longestPause = 30_000
const defaultMaxWait = 5 * 60_000

/**
 * Repeats after 429, after 503 with `Retry-After`, and requests that were never sent; after other 5xx, 408, 421, 425 and
 * lost answers, only reads and sets. Throws `UnsentError` only if no attempt reached the service, and `PartialError` instead of a
 * wait that is longer than the time left.
 */
export function retry(next: Send, options: RetryOptions): Send {
  const { retries, maxWait, clock, random, signal, notice = () => undefined } = options
  const { pacer = new Pacer({ interval: undefined, clock, signal }) } = options
  const pause = createPause(clock, signal)
  const limit = options.startBytes ?? 8 * 1024 * 1024

  function pauseAfter(count: number): number {
    return Math.min(longestPause, firstPause * 2 ** (count - 1)) * (0.5 + random() / 2)
  }

  /** The service may ask for a pause while a request waits for its turn, so it takes a new turn after the pause. */
  async function start(request: Request, caller: object): Promise<boolean> {
    do {
      if (!(await pause.pass(request.left)) || !(await pacer.turn(caller, request))) return false
    } while (!pause.isOpen())
    return true
  }

  async function judgeStart(request: Request, answer: Response): Promise<Attempt> {
    const { response, text, isCut } = await readStart(answer, limit)
    // Only a `detail` shows that the 404 is the service's.
    if (isCut && response.status === 404 && request.effect !== 'act') return { response, verdict: 'again' }
    return judge(request, response, response.status === 429 ? text() : '', clock)
  }

  async function wait({ left }: Request, attempt: Attempt, count: number, caller: object): Promise<boolean> {
    const { verdict, asked, response } = attempt
    await response?.body[Symbol.asyncIterator]().return?.()
    // `Retry-After: 0` counts as missing.
    const teaches = verdict === 'later' && !asked
    if (teaches && !pacer.refused(caller)) return true
    const ms = asked || Math.max(pauseAfter(count), teaches ? (pacer.interval() ?? 0) : 0)
    const isTooLong = left !== undefined && ms > left()
    const { length, end } = lengthAndEnd(ms, clock.now())
    const text = asked
      ? `The service asks to wait ${length}, until ${end}`
      : `The service is not available; trying again in ${length}, at ${end}`
    const isNew = !asked || verdict !== 'later' || pause.close(ms)
    // The pause continues, since other requests wait for it too.
    if (isTooLong) return false
    if (isNew && ms > 2000) notice(text)
    if (verdict === 'later' && asked) return pause.pass(left)
    await clock.sleep(ms, signal)
    return true
  }

  async function attempts(request: Request, caller: object): Promise<Response> {
    let unanswered = false
    for (let count = 1; ; count++) {
      if (!(pacer.isFree && pause.isOpen()) && !(await withUnanswered(unanswered, start(request, caller)))) {
        throw tooLate(unanswered)
      }
      let attempt: Attempt
      try {
        request.check?.()
        const answer = await next(count === 1 ? request : { ...request, attempt: count })
        attempt = answer.body === emptyBody ? judge(request, answer, '', clock) : await judgeStart(request, answer)
      } catch (failure) {
        attempt = judgeFailure(request, failure)
      }
      if (attempt.verdict === 'final' && attempt.response) pacer.accepted(caller)
      const most = maxWait ?? request.maxWait ?? defaultMaxWait
      const longer = (attempt.asked ?? 0) > Math.min(most, longestTimer)
      if (attempt.verdict === 'final' || count > retries || longer || signal.aborted) {
        if (!attempt.response) throw unanswered ? maybeSent(attempt.failure) : attempt.failure
        return unanswered || attempt.unanswered ? { ...attempt.response, unanswered: true } : attempt.response
      }
      // What failed otherwise teaches no rate.
      if (attempt.verdict === 'again' || attempt.asked) pacer.leave(caller)
      unanswered ||= attempt.unanswered ?? false
      if (!(await withUnanswered(unanswered, wait(request, attempt, count, caller)))) throw tooLate(unanswered)
    }
  }

  return async request => {
    const caller = {}
    try {
      return await attempts(request, caller)
    } finally {
      pacer.leave(caller)
    }
  }
}

function judge(request: Request, response: Response, text: string, clock: Clock): Attempt {
  const { status, headers } = response
  if (status < 500 && status !== 429 && !isLostAnswer(status)) return { response, verdict: 'final' }
  const seconds = retryAfter(headers, text, clock.now())
  const asked = seconds === undefined ? undefined : seconds * 1000
  if (status === 429) return { response, verdict: 'later', asked }
  if (request.effect === 'act' && (status !== 503 || asked === undefined)) return { response, verdict: 'final' }
  // nginx says that requests come too fast with a 503, unless it is told otherwise.
  if (status === 503) return { response, verdict: 'later', asked, unanswered: true }
  return { response, verdict: 'again', asked, unanswered: true }
}

function judgeFailure(request: Request, failure: unknown): Attempt {
  if (!(failure instanceof UnavailableError) || failure.facts.retryable === false) return { failure, verdict: 'final' }
  if (failure instanceof UnsentError) return { failure, verdict: 'again' }
  return { failure, verdict: request.effect === 'act' ? 'final' : 'again', unanswered: true }
}

function maybeSent(failure: unknown): unknown {
  return failure instanceof UnsentError ? new UnavailableError(failure.message, failure.facts) : failure
}

/** An interrupted wait sends nothing; only an earlier attempt may have been done. */
async function withUnanswered<T>(unanswered: boolean, waited: Promise<T>): Promise<T> {
  try {
    return await waited
  } catch (error) {
    throw error instanceof Failure ? error.with({ unanswered }) : error
  }
}

function tooLate(unanswered: boolean): OutOfTimeError {
  return new OutOfTimeError(': the service asks to wait for longer than the time that is left', { unanswered })
}

/** Returns `17 s` and `14:03:21Z`, for example. */
function lengthAndEnd(ms: number, now: number): { readonly length: string; readonly end: string } {
  const seconds = Math.ceil(ms / 1000)
  const length = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  return { length, end: momentText(now + ms).slice('2026-11-21 '.length) }
}
