import { type Failure, UnavailableError, UnexpectedError } from '../../errors.ts'
import { codeOf, reasonOf } from '../../files/system-error.ts'
import { type Request, shownAddress } from '../message.ts'

export interface Progress {
  readonly request: Request
  readonly timeout: number
  readonly proxy: URL | undefined
  isSent: boolean
  isAnswered: boolean
}

interface Fault {
  readonly codes: RegExp
  readonly message: (host: string, code: string, progress: Progress) => string
  readonly hint: (check: string) => string
  readonly isLasting?: true
}

const faults: readonly Fault[] = [
  {
    codes: /^ECONNREFUSED$/,
    message: host => `${host} refused the connection`,
    hint: check => `${check}, and that the server is running`,
  },
  {
    codes: /^(ENOTFOUND|EAI_)/,
    message: host => `${host} is not a known host`,
    hint: check => `${check}, and that this machine has a network`,
  },
  {
    codes: /TIMEOUT|^ETIMEDOUT$/,
    message: (host, _, { timeout }) => `${host} timed out after ${timeout / 1000} s`,
    hint: () => 'Try again, or wait longer with --timeout SECONDS',
  },
  {
    codes: /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|Z_)/,
    message: (host, _, { isAnswered }) =>
      isAnswered ? `The response of ${host} was cut off` : `${host} closed the connection`,
    hint: () => 'Try again. If it happens again, a proxy or firewall may close the connections',
  },
  {
    codes: /^UND_ERR_(ABORTED|PRX)/,
    message: host => `The proxy refused a connection to ${host}`,
    hint: check => `${check}, and what the proxy allows. It may require a user name and password`,
    isLasting: true,
  },
  {
    codes: /^(EPROTO$|ERR_SSL_|HPE_|UND_ERR_HEADERS_OVERFLOW)/,
    message: (host, code) => `${host} does not use ${code.startsWith('E') ? 'TLS' : 'HTTP'} correctly (${code})`,
    hint: check => `${check}, its port, and whether it should start with http:// or https://`,
    isLasting: true,
  },
  {
    codes: /CERT|SELF_SIGNED|UNABLE_TO|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH/,
    message: (host, code) => `The certificate of ${host} is not trusted (${code})`,
    hint: check =>
      `${check}. To trust a private certificate authority, use --ca-file of the profile, ANALYTICS_CA_FILE or NODE_EXTRA_CA_CERTS`,
    isLasting: true,
  },
  {
    codes: /^(?!UND_ERR_INVALID)[A-Z][A-Z\d_]+$/,
    message: (host, code) => `The connection to ${host} failed${reasonOf(coded(code))}`,
    hint: check => `${check}, the network of this machine, and its limit of open files (ulimit -n)`,
  },
]

export function coded(code: string): Error {
  return Object.assign(new Error(code), { code })
}

export function transportError(error: unknown, progress: Progress): Failure {
  const { request, isSent, isAnswered, proxy } = progress
  // During a response, the parser reports a lost connection as a parser error.
  const reported = codeIn(error) ?? (isSent ? 'HPE_INVALID' : undefined)
  const code = isAnswered && reported?.startsWith('HPE_') ? 'UND_ERR_SOCKET' : reported
  const fault = faults.find(({ codes }) => code !== undefined && codes.test(code))
  const where = { method: request.method, url: shownAddress(request.url), cause: error }
  if (!fault || code === undefined) return new UnexpectedError('The request could not be sent', where)
  const hint = fault.hint(`Check the base URL${proxy ? ' and the proxy variables' : ''}`)
  const { host } = request.url
  const peer = proxy && !isSent ? `${host} (or the proxy ${proxy.host})` : host
  const isSafe = !fault.isLasting
  const hintAfter = isSafe ? hintAfterWrite(request) : `${hint}; the change may have been made`
  return new UnavailableError(fault.message(peer, code, progress), {
    ...where,
    hint: isSent && request.effect !== 'read' ? hintAfter : hint,
    code,
    retryable: isSafe && !(isSent && request.effect === 'act'),
  })
}

/** Repeating an update is safe. Repeating a deletion finds nothing, and its 404 says nothing about events. */
export function hintAfterWrite({ method, url, effect }: Request): string {
  if (effect === 'act') return 'The change may have been made: check before you repeat it'
  if (method !== 'DELETE') return 'The change may have been made. You can safely run the same command again'
  const events = url.searchParams.has('delete_events')
    ? '. A second run cannot tell whether the events were queued'
    : ''
  return `It may be deleted: check before you repeat the command${events}`
}

/** The first code of the error and its causes; connecting to several addresses gives one error for each. */
function codeIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // undici gives no code for some parser errors.
  const own = codeOf(error) ?? (error.name === 'HTTPParserError' ? 'HPE_INVALID' : undefined)
  return own ?? codeIn(error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined))
}
