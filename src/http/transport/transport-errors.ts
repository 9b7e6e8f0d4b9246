import { type Failure, InterruptedError, UnavailableError, UnexpectedError, UnsentError } from '../../errors.ts'
import { type Request, shownAddress } from '../message.ts'
import { type Explanation, explain, explainTimeout, type Progress } from './explain-code.ts'

export class ProxyError extends Error {
  readonly code: string | undefined

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause })
    this.code = cause.code
  }
}

export function coded(code: string): Error {
  return Object.assign(new Error(code), { code })
}

export function transportError(error: unknown, progress: Progress): Failure {
  // If an answer is not HTTP, the parser fails with many kinds of errors.
  for (const code of [...codesOf(error), ...(progress.sent ? ['HPE_INVALID'] : [])]) {
    const explanation = explain(code, progress, error instanceof ProxyError)
    if (explanation) return unavailable(explanation, code, error, progress)
  }
  return new UnexpectedError('The request could not be made', { ...where(progress.request), cause: error })
}

export function timedOut(progress: Progress): UnavailableError {
  return unavailable(explainTimeout(progress), 'ETIMEDOUT', undefined, progress)
}

/** The service may still do what an interrupted request asked for. */
export function interrupted(reason: Error, { request, sent }: Progress): Error {
  if (!(reason instanceof InterruptedError) || !sent || request.effect === 'read') return reason
  return reason.with({ hint: hintAfterWrite('', true, request), unanswered: true })
}

const notKnown = 'It is not known whether the change was made: check before you repeat it'

function unavailable(
  { message, hint, retryable = true, isUnread }: Explanation,
  code: string,
  cause: unknown,
  of: Progress,
) {
  const sent = of.sent && !isUnread
  const isLost = sent && of.request.effect === 'act'
  const Kind = sent ? UnavailableError : UnsentError
  return new Kind(message, {
    ...where(of.request),
    hint: sent && of.request.effect !== 'read' ? hintAfterWrite(hint, retryable, of.request) : hint,
    code,
    retryable: retryable && !isLost,
    cause,
  })
}

/** Repeating an update is safe. Repeating a deletion finds nothing, and its 404 does not tell about events. */
export function hintAfterWrite(
  hint: string,
  retryable: boolean,
  { method, url, effect }: Pick<Request, 'method' | 'url' | 'effect'>,
): string {
  if (effect === 'act') return notKnown
  if (!retryable) return `${hint}; the change may have been made`
  if (method !== 'DELETE') return 'The change may have been made; it is safe to run the same command again'
  const events = url.searchParams.has('delete_events') ? ', which cannot tell whether the events were queued' : ''
  return `It may have been deleted: look for it before you repeat the command${events}`
}

function* codesOf(error: unknown): Generator<string> {
  const seen = new Set<unknown>()
  for (let one = error; one instanceof Error && !seen.has(one); one = one.cause ?? firstOf(one)) {
    seen.add(one)
    if ('code' in one && typeof one.code === 'string') yield one.code
    // undici gives no code for some parser errors.
    else if (one.name === 'HTTPParserError') yield 'HPE_INVALID'
  }
}

/** Connecting to several addresses gives one error for each. */
function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined
}

function where({ method, url }: Request) {
  return { method, url: shownAddress(url) }
}
