import { type Failure, UnavailableError, UnexpectedError, UnsentError } from '../errors.ts'
import type { Request } from './message.ts'

/** A failure of the connection to the proxy itself, with its code. */
export class ProxyError extends Error {
  readonly code: string | undefined

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause })
    this.code = cause.code
  }
}

export interface Progress {
  readonly request: Request
  readonly proxy: URL | undefined
  readonly sent: boolean
  readonly answered: boolean
  readonly timeout: number
}

interface Explanation {
  readonly message: string
  readonly hint: string
  readonly retryable?: boolean
}

export function transportError(error: unknown, progress: Progress): Failure {
  // The parser fails with errors of many kinds where an answer is no HTTP.
  for (const code of [...codesOf(error), ...(progress.sent ? ['HPE_INVALID'] : [])]) {
    const explanation = explain(code, progress, error instanceof ProxyError)
    if (explanation) return unavailable(explanation, code, error, progress)
  }
  return new UnexpectedError('The request could not be made', { ...where(progress.request), cause: error })
}

export function timedOut(progress: Progress): UnavailableError {
  return unavailable(explainTimeout(progress), 'ETIMEDOUT', undefined, progress)
}

function unavailable({ message, hint, retryable = true }: Explanation, code: string, cause: unknown, of: Progress) {
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

function explain(reported: string, progress: Progress, atProxy: boolean): Explanation | undefined {
  const { request, proxy, answered } = progress
  // After the first byte of an answer, the parser reports a lost connection as an error of its own.
  const code = answered && reported.startsWith('HPE_') ? 'UND_ERR_SOCKET' : reported
  const server = request.url.host
  const peer = proxy ? `The proxy ${proxy.host}` : server
  const check = proxy ? 'Check the proxy variables' : 'Check the base URL'
  const first = firstOnTheWay(progress)

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
    case 'ENETDOWN':
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'EADDRNOTAVAIL':
      return { message: `${peer} cannot be reached from here`, hint: `${check}, and the network of this machine` }
    case 'EACCES':
    case 'EPERM':
      return {
        message: `This machine does not allow a connection to ${peer} (${code})`,
        hint: 'Check its firewall and its security policy',
      }
    case 'EMFILE':
    case 'ENFILE':
      return {
        message: `No connection to ${peer} could be opened: too many files are open (${code})`,
        hint: 'Lower --concurrency, or raise the limit of open files (ulimit -n)',
      }
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return explainTimeout(progress)
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
      return { message: `${first.name} sent headers that are too large`, hint: first.check, retryable: false }
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
  if (code.startsWith('HPE_')) {
    return { message: `${first.name} does not speak HTTP`, hint: first.check, retryable: false }
  }
  const tls = explainTls(code, progress, atProxy)
  if (tls) return tls
  if (/^(E[A-Z\d]+|UNKNOWN)$/.test(code)) {
    return { message: `The connection to ${peer} failed (${code})`, hint: `${check}, and the network of this machine` }
  }
  return undefined
}

/** The certificate is that of the service, or of a proxy whose own address is `https:`. */
function explainTls(code: string, { request, proxy }: Progress, atProxy: boolean): Explanation | undefined {
  const isProxy = proxy && (atProxy || request.url.protocol === 'http:')
  const name = isProxy ? `the proxy ${proxy.host}` : request.url.host
  const check = isProxy ? 'Check the proxy variables' : 'Check the base URL'
  if (code === 'CERT_HAS_EXPIRED') {
    return {
      message: `The certificate of ${name} has expired`,
      hint: `Have it renewed by whoever runs the ${isProxy ? 'proxy' : 'service'}, or set this machine's clock`,
      retryable: false,
    }
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { message: `The certificate of ${name} is for another name`, hint: check, retryable: false }
  }
  if (/CERT|LEAF_SIGNATURE|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH/.test(code)) {
    return {
      message: `The certificate of ${name} is not trusted (${code})`,
      hint: `${check}; a certificate authority of your own is given by --ca-file of the profile, ANALYTICS_CA_FILE or NODE_EXTRA_CA_CERTS`,
      retryable: false,
    }
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) {
    const address = isProxy ? 'it' : 'the base URL'
    return {
      message: `${isProxy ? `The proxy ${proxy.host}` : name} does not speak TLS as it should (${code})`,
      hint: `${proxy ? 'Check the proxy variables, and' : 'Check'} whether ${address} should start with http:// or https://`,
      retryable: false,
    }
  }
  return undefined
}

function explainTimeout(progress: Progress): Explanation {
  const { name, isProxy, check } = firstOnTheWay(progress)
  return {
    message: `${name} timed out after ${progress.timeout / 1000} s`,
    hint: `${isProxy ? check : 'Try again'}, or allow more time with --timeout SECONDS`,
  }
}

/** The proxy until it has opened a connection, then the server. */
function firstOnTheWay({ request, proxy, sent }: Progress) {
  return proxy && !sent
    ? { name: `The proxy ${proxy.host}`, isProxy: true, check: 'Check the proxy variables' }
    : { name: request.url.host, isProxy: false, check: 'Check the base URL' }
}

function* codesOf(error: unknown): Generator<string> {
  const seen = new Set<unknown>()
  for (let one = error; one instanceof Error && !seen.has(one); one = one.cause ?? firstOf(one)) {
    seen.add(one)
    if ('code' in one && typeof one.code === 'string') yield one.code
    // undici does not name some codes of its parser.
    else if (one.name === 'HTTPParserError') yield 'HPE_INVALID'
  }
}

/** Connecting to several addresses fails with one error for each. */
function firstOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : undefined
}

function where({ method, url }: Request) {
  return { method, url: url.origin + url.pathname }
}
