/** What went wrong when no answer came, or only a part of one: from low-level codes to sentences and advice. */
import { type Failure, UnavailableError, UnexpectedError } from '../errors.ts'
import type { Request } from './message.ts'

/** There was no answer, and the request surely never reached the service: sending it again cannot do it twice. */
export class UnsentError extends UnavailableError {}

/** How far the request had come. */
export interface Progress {
  readonly request: Request
  readonly proxy: URL | undefined
  /** Whether its first byte may have left. */
  readonly sent: boolean
  /** Whether the head of an answer had come. */
  readonly answered: boolean
  /** Milliseconds that the server may keep us waiting. */
  readonly timeout: number
}

interface Account {
  readonly message: string
  readonly hint: string
  /** False where another attempt would end the same way. */
  readonly retryable?: boolean
}

/** Turns whatever undici or Node reported into a failure; an error that names no such code is a bug of ours. */
export function transportError(error: unknown, progress: Progress): Failure {
  for (const code of codesOf(error)) {
    const account = accountOf(code, progress)
    if (account) return unavailable(account, code, error, progress)
  }
  return new UnexpectedError('The request could not be made', { ...where(progress.request), cause: error })
}

/** The failure when the server kept us waiting for too long. */
export function timedOut(progress: Progress): UnavailableError {
  return unavailable(overdue(progress), 'ETIMEDOUT', undefined, progress)
}

function unavailable({ message, hint, retryable = true }: Account, code: string, cause: unknown, of: Progress) {
  const unknown = of.sent && of.request.effect !== 'read'
  const Kind = of.sent ? UnavailableError : UnsentError
  return new Kind(message, {
    ...where(of.request),
    hint: unknown ? 'It is not known whether the change was made: check before you repeat it' : hint,
    code,
    retryable,
    cause,
  })
}

function accountOf(reported: string, progress: Progress): Account | undefined {
  const { request, proxy, answered } = progress
  // Once an answer had begun, what the parser stumbles over is its end.
  const code = answered && reported.startsWith('HPE_') ? 'UND_ERR_SOCKET' : reported
  const server = request.url.host
  // Behind a proxy it is the proxy that we look up and connect to.
  const peer = proxy ? `The proxy ${proxy.host}` : server
  const check = proxy ? 'Check the proxy variables' : 'Check the base URL'

  switch (code) {
    case 'ECONNREFUSED':
      return { message: `${peer} refused the connection`, hint: `${check}, and that the service is running` }
    case 'ENOTFOUND':
      return { message: `${peer} is not a known host`, hint: `${check}, and that this machine has a network` }
    case 'EAI_AGAIN':
      return {
        message: `${peer} could not be looked up just now`,
        hint: `${check}, and that this machine has a network`,
      }
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'EADDRNOTAVAIL':
      return { message: `${peer} cannot be reached from here`, hint: `${check}, and the network of this machine` }
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return overdue(progress)
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return {
        message: answered ? `The answer of ${server} was cut off` : `${peer} broke off the connection`,
        hint: 'Try again; if it keeps happening, something between here and the service ends the connections',
      }
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return { message: `The headers that ${server} sent are too large`, hint: 'Check the base URL', retryable: false }
  }
  if (code.startsWith('PROXY_')) {
    const status = code.slice('PROXY_'.length)
    const hint = `${check}${status === '407' ? ': it wants a user name and password' : ', and what the proxy allows'}`
    return {
      message: `${peer} did not open a connection to ${server} (${status})`,
      hint,
      retryable: status.startsWith('5'),
    }
  }
  if (/CERT|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/.test(code)) {
    return {
      message: `The certificate of ${server} is not trusted (${code})`,
      hint: 'Check the base URL; for a certificate authority of your own set NODE_EXTRA_CA_CERTS',
      retryable: false,
    }
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    return {
      message: `${server} does not speak TLS as it should (${code})`,
      hint: 'Check whether the base URL should start with http:// or https://',
      retryable: false,
    }
  }
  if (code.startsWith('HPE_')) {
    return { message: `${server} does not speak HTTP`, hint: 'Check the base URL', retryable: false }
  }
  return undefined
}

function overdue({ request, timeout }: Progress): Account {
  return {
    message: `${request.url.host} timed out after ${timeout / 1000} s`,
    hint: 'Try again, or allow more time with --timeout SECONDS',
  }
}

/** The codes of an error and of what caused it, the outermost first. */
function* codesOf(error: unknown): Generator<string> {
  const seen = new Set<unknown>()
  for (let one = error; one instanceof Error && !seen.has(one); one = one.cause ?? firstOf(one)) {
    seen.add(one)
    if ('code' in one && typeof one.code === 'string') yield one.code
    // undici knows llhttp's codes by number only, and finds no name for them.
    else if (one.name === 'HTTPParserError') yield 'HPE_INVALID'
  }
}

/** Connecting to a name with several addresses fails with one error for each. */
function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined
}

function where({ method, url }: Request) {
  return { method, url: url.origin + url.pathname }
}
