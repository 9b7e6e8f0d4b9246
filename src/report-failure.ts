import { Failure, InterruptedError, ReaderGone, RejectedError, UnavailableError, UnexpectedError } from './errors.ts'
import { raiseFileLimit } from './files/system-error.ts'
import type { Host } from './host.ts'
import { Malformed } from './json/layout.ts'
import type { Messages } from './messages/messages.ts'

export function reportFailure(error: unknown, host: Host, messages: Messages): number {
  if (error instanceof ReaderGone) return 0
  const { interrupted } = host
  const isSignal = interrupted.aborted && !(error instanceof InterruptedError)
  const failure = failureFor(isSignal ? interrupted.reason : error)
  messages.error(failure)
  return failure.exit
}

function failureFor(cause: unknown): Failure {
  if (cause instanceof Failure) return cause
  if (cause instanceof Malformed) {
    return new RejectedError(`Unexpected response: ${cause.reason}`, { hint: 'Check the base URL', cause })
  }
  // Any code may hit the limit of open files.
  const hint = raiseFileLimit(cause)
  if (hint !== undefined) return new UnavailableError('Too many files are open', { hint, cause })
  const what = cause instanceof Error ? cause.message : String(cause)
  return new UnexpectedError(`analytics failed unexpectedly: ${what}`, {
    hint: 'Please report this with the command that you typed',
    cause,
  })
}
