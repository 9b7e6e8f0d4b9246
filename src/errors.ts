/** Code tells errors apart by class or `exit`, never by their text. */

export const exits = [
  { code: 0, name: 'ok', when: 'done; nothing matched; a dry run; the reader closed the pipe', retry: '' },
  { code: 1, name: 'unexpected', when: 'a bug in analytics', retry: '' },
  { code: 2, name: 'usage', when: 'bad option, argument, file, filter; no project; nothing was sent', retry: 'no' },
  { code: 3, name: 'not-found', when: '404 for the named object; no target was found', retry: 'no' },
  { code: 4, name: 'auth', when: 'no key or profile; 401; 403; a key of another server', retry: 'no' },
  {
    code: 5,
    name: 'rejected',
    when: 'any other 4xx; an unexpected response or record; a change that was accepted but not applied',
    retry: 'no',
  },
  { code: 6, name: 'rate-limited', when: '429 beyond --max-wait/--retries', retry: 'yes' },
  {
    code: 7,
    name: 'unavailable',
    when: '5xx, 408, 421 or 425 after retries; no connection (DNS, TLS); a timeout; an incomplete response; a full disk',
    retry: 'yes',
  },
  { code: 8, name: 'partial', when: 'a bulk run finished and some items failed', retry: 'yes (jobs resume)' },
  { code: 9, name: 'drift', when: 'projects diff found differences (no other command returns it)', retry: '' },
  { code: 10, name: 'refused', when: 'stopped by a guard: not confirmed, --max, --expect, safety level', retry: 'no' },
  {
    code: 130,
    name: 'interrupted',
    when: 'SIGINT; the journal is flushed and the resume line printed',
    retry: 'yes (jobs resume)',
  },
  {
    code: 143,
    name: 'interrupted',
    when: 'SIGTERM; the journal is flushed and the resume line printed',
    retry: 'yes (jobs resume)',
  },
] as const

type ExitName = (typeof exits)[number]['name']

type ExitCode = (typeof exits)[number]['code']

interface FailureDetails {
  readonly hint?: string | undefined
  readonly status?: number | undefined
  /** The service's own code, such as `not_found`. */
  readonly code?: string | undefined
  readonly attr?: string | undefined
  readonly method?: string | undefined
  /** Without the query, because filters hold personal data. */
  readonly url?: string | undefined
  readonly requestId?: string | undefined
  readonly retryable?: boolean | undefined
  /** For a 404: true if the service itself says that the object, not only the path, is not there. */
  readonly isMissingObject?: boolean | undefined
  /** Seconds. */
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

export const notTheService = 'not-the-service'

/** `message` is one sentence without a full stop at its end. */
export abstract class Failure extends Error {
  abstract readonly exit: ExitCode
  readonly details: FailureDetails

  constructor(message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause })
    this.details = details
  }

  override get name(): ExitName {
    return exitRow(this.exit).name
  }

  /** False if the same command would fail again; null if that is unknown. */
  get retryable(): boolean | null {
    const { retry } = exitRow(this.exit)
    return this.details.retryable ?? (retry === '' ? null : retry !== 'no')
  }

  reworded(message: string): Failure {
    return Object.assign(this.with({}), { message })
  }

  with(details: FailureDetails): Failure {
    const copy = Object.create(Object.getPrototypeOf(this), Object.getOwnPropertyDescriptors(this))
    return Object.assign(copy, { details: { ...this.details, ...details } })
  }
}

function exitRow(code: ExitCode): (typeof exits)[number] {
  return exits.find(exit => exit.code === code) ?? exits[1]
}

function exitingWith<C extends ExitCode>(code: C) {
  return class extends Failure {
    readonly exit = code
  }
}

export class UnexpectedError extends exitingWith(1) {}
export class UsageError extends exitingWith(2) {}
export class NotFoundError extends exitingWith(3) {}
export class AuthError extends exitingWith(4) {}
export class RejectedError extends exitingWith(5) {}
export class RateLimitedError extends exitingWith(6) {}
export class UnavailableError extends exitingWith(7) {}
export class PartialError extends exitingWith(8) {}
export class DriftError extends exitingWith(9) {}
export class RefusedError extends exitingWith(10) {}

export class InterruptedError extends Failure {
  readonly exit: 130 | 143

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted')
    this.exit = signal === 'SIGINT' ? 130 : 143
  }
}

/** The reader of stdout closed it (`| head`). Not a failure; only `run` catches it. */
export class ReaderGone extends Error {}

/** True if the service itself refused, not a proxy or firewall. */
export function isForbidden(error: unknown): error is AuthError {
  return error instanceof AuthError && error.details.status === 403 && error.details.code !== notTheService
}
