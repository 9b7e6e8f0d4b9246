/** Sends again what may be sent again, as late as the service asks for. */
import { UnavailableError } from '../errors.ts'
import type { Clock } from '../host.ts'
import { hold } from './body.ts'
import type { Request, Response, Send } from './message.ts'
import type { Turn } from './pace.ts'
import { createPause } from './pause.ts'
import { retryAfter } from './retry-after.ts'
import { UnsentError } from './transport-errors.ts'

export interface Retrying {
  /** Attempts after the first. */
  readonly retries: number
  /** The longest single wait that a server may ask for, in ms; past it the answer is returned as it is. */
  readonly maxWait: number
  readonly clock: Clock
  /** Between 0 and 1. */
  readonly random: () => number
  /** Ends a wait; its reason is what the request rejects with. */
  readonly signal: AbortSignal
  /** Told of every wait over 2 s. */
  readonly announce?: ((text: string) => void) | undefined
  /** Waited for before each attempt: a retry counts as much as a first one. */
  readonly turn?: Turn | undefined
  /** How many bytes of an answer are read before it is given away: a cut within them is a lost answer. */
  readonly hold?: number | undefined
}

/** One attempt's end: an answer or a failure, and what it means for another attempt. */
interface Outcome {
  readonly response?: Response
  readonly failure?: unknown
  /** `later`: the service turns everyone away for now, so everyone waits. */
  readonly verdict: 'final' | 'again' | 'later'
  /** Milliseconds that the service asked for. */
  readonly asked?: number | undefined
  /** Whether the service may have acted without telling us. */
  readonly unanswered?: boolean
}

const firstPause = 250
const longestPause = 30_000
/** What a timer can hold. */
const longestWait = 2 ** 31 - 1

/**
 * - 429, and 503 with `Retry-After`: always, the service did not act.
 * - Other 5xx, and answers that were lost, cut or late: what reads or sets; never what acts.
 * - Never sent at all: always. Whatever no attempt can mend (`retryable: false`): never.
 *
 * Turned away for now, all requests that go through here wait. The last answer is returned whatever its status, its
 * body readable; the last failure is thrown, as `UnsentError` only where no attempt reached the service.
 */
export function retry(next: Send, options: Retrying): Send {
  const { retries, maxWait, clock, random, signal, announce = () => undefined } = options
  const gate = createPause(clock, signal)
  const limit = options.hold ?? 8 * 1024 * 1024
  const { turn } = options

  function pauseAfter(attempt: number): number {
    return Math.min(longestPause, firstPause * 2 ** (attempt - 1)) * (0.5 + random() / 2)
  }

  /** While somebody waits for their turn the gate may have closed; behind it turns are taken anew, or all went at once. */
  async function start(): Promise<void> {
    do {
      await gate.pass()
      if (turn) await turn()
    } while (!gate.isOpen())
  }

  async function attemptAt(request: Request): Promise<Outcome> {
    try {
      const { response, text } = await hold(await next(request), limit)
      return judge(request, response, text, clock.now())
    } catch (failure) {
      return judgeFailure(request, failure)
    }
  }

  async function wait({ verdict, asked, response }: Outcome, attempt: number): Promise<void> {
    await response?.body[Symbol.asyncIterator]().return?.()
    // A service that asks for 0 s names no time.
    const ms = asked || pauseAfter(attempt)
    const what = asked ? 'The service asks to wait' : 'The service is not available; trying again in'
    const text = `${what} ${until(ms, clock.now())}`
    const isNew = verdict !== 'later' || gate.close(ms)
    if (isNew && ms > 2000) announce(text)
    await (verdict === 'later' ? gate.pass() : clock.sleep(ms, signal))
  }

  return async request => {
    let unanswered = false
    for (let attempt = 1; ; attempt++) {
      await start()
      const outcome = await attemptAt({ ...request, attempt })
      const longer = (outcome.asked ?? 0) > Math.min(maxWait, longestWait)
      if (outcome.verdict === 'final' || attempt > retries || longer || signal.aborted) {
        if (!outcome.response) throw unanswered ? maybeSent(outcome.failure) : outcome.failure
        return unanswered || outcome.unanswered ? { ...outcome.response, unanswered: true } : outcome.response
      }
      unanswered ||= outcome.unanswered ?? false
      await wait(outcome, attempt)
    }
  }
}

function judge(request: Request, response: Response, text: () => string, now: number): Outcome {
  const { status, headers } = response
  if (status < 500 && status !== 429) return { response, verdict: 'final' }
  const seconds = retryAfter(headers, status === 429 ? text() : '', now)
  const asked = seconds === undefined ? undefined : seconds * 1000
  if (status === 429 || (status === 503 && asked !== undefined)) return { response, verdict: 'later', asked }
  if (request.effect === 'act') return { response, verdict: 'final' }
  return { response, verdict: 'again', asked, unanswered: true }
}

function judgeFailure(request: Request, failure: unknown): Outcome {
  if (!(failure instanceof UnavailableError) || failure.facts.retryable === false) return { failure, verdict: 'final' }
  if (failure instanceof UnsentError) return { failure, verdict: 'again' }
  return { failure, verdict: request.effect === 'act' ? 'final' : 'again', unanswered: true }
}

/** The last attempt never left; an earlier one did. */
function maybeSent(failure: unknown): unknown {
  return failure instanceof UnsentError ? new UnavailableError(failure.message, failure.facts) : failure
}

/** Such as `17 s, until 14:03:21`: local time, for whoever sits before it. */
function until(ms: number, now: number): string {
  const seconds = Math.ceil(ms / 1000)
  const length = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
  const end = new Date(now + ms)
  const clock = [end.getHours(), end.getMinutes(), end.getSeconds()].map(part => String(part).padStart(2, '0'))
  return `${length}, until ${clock.join(':')}`
}
