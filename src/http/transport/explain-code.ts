import type { Request } from '../message.ts'

export interface Progress {
  readonly request: Request
  readonly proxy: URL | undefined
  readonly sent: boolean
  readonly answered: boolean
  readonly timeout: number
}

export interface Explanation {
  readonly message: string
  readonly hint: string
  readonly retryable?: boolean
  /** The handshake failed, so the request was not read, although it was written. */
  readonly isUnread?: true
}

/** In this order, the first explanation is the right one. */
export function explain(reported: string, progress: Progress, atProxy: boolean): Explanation | undefined {
  // During an answer, the parser reports a lost connection as a parser error.
  const code = progress.answered && reported.startsWith('HPE_') ? 'UND_ERR_SOCKET' : reported
  return (
    explainSystem(code, progress) ??
    explainHttp(code, progress) ??
    explainProxy(code, progress) ??
    explainTls(code, progress, atProxy) ??
    explainOther(code, progress)
  )
}

function explainSystem(code: string, progress: Progress): Explanation | undefined {
  const { peer, isProxy, check } = peerOf(progress)
  switch (code) {
    case 'ECONNREFUSED':
      return {
        message: `${peer} refused the connection`,
        hint: `${check}, and that the ${isProxy ? 'proxy' : 'service'} is running`,
      }
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
  }
  return undefined
}

function explainHttp(code: string, progress: Progress): Explanation | undefined {
  const { peer, check } = firstOnTheWay(progress)
  switch (code) {
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'Z_BUF_ERROR':
    case 'Z_DATA_ERROR':
      return {
        message: progress.answered
          ? `The answer of ${progress.request.url.host} was cut off`
          : `${peerOf(progress).peer} closed the connection`,
        hint: 'Try again; if it keeps happening, something between here and the service ends the connections',
      }
    case 'UND_ERR_HEADERS_OVERFLOW':
    case 'HPE_HEADER_OVERFLOW':
      return { message: `${peer} sent headers that are too large`, hint: check, retryable: false }
  }
  if (!code.startsWith('HPE_')) return undefined
  return { message: `${peer} does not speak HTTP`, hint: check, retryable: false }
}

function explainProxy(code: string, progress: Progress): Explanation | undefined {
  if (!code.startsWith('PROXY_')) return undefined
  const { peer, check } = peerOf(progress)
  const status = code.slice('PROXY_'.length)
  return {
    message: `${peer} did not open a connection to ${progress.request.url.host} (${status})`,
    hint: `${check}${status === '407' ? ': it wants a user name and password' : ', and what the proxy allows'}`,
    retryable: status.startsWith('5'),
  }
}

function explainOther(code: string, progress: Progress): Explanation | undefined {
  if (!/^(E[A-Z\d]+|UNKNOWN)$/.test(code)) return undefined
  const { peer, check } = peerOf(progress)
  return { message: `The connection to ${peer} failed (${code})`, hint: `${check}, and the network of this machine` }
}

/** The certificate of the service, or of a proxy with an `https:` address. */
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
  const demand = explainDemand(code)
  if (demand) {
    const hint = isProxy ? 'A proxy gets none: name another one in the proxy variables' : howToGiveCertificate()
    return {
      message: `${isProxy ? `The proxy ${proxy.host}` : name} ${demand}`,
      hint,
      retryable: false,
      isUnread: true,
    }
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

export function howToGiveCertificate(): string {
  return 'Give the profile one with --client-cert and --client-key, or set ANALYTICS_CLIENT_CERT and ANALYTICS_CLIENT_KEY'
}

/** What a server says in an alert about the certificate of this machine: since Node 22 some codes are spelled `SSL/TLS`. */
function explainDemand(code: string): string | undefined {
  const [, alert] = /^ERR_SSL_(?:SSL\/TLS|(?:SSL|TLS)V\d+)_ALERT_(.+)$/.exec(code) ?? []
  if (alert === 'CERTIFICATE_REQUIRED') return 'wants a client certificate'
  // TLS 1.2 has no alert of its own for it.
  if (alert === 'HANDSHAKE_FAILURE') return 'ended the TLS handshake: it may want a client certificate, or another one'
  const isAboutOurs = /^(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_.*|UNKNOWN_CA|ACCESS_DENIED)$/.test(
    alert ?? '',
  )
  return isAboutOurs ? `does not accept the client certificate (${code})` : undefined
}

export function explainTimeout(progress: Progress): Explanation {
  const { peer, isProxy, check } = firstOnTheWay(progress)
  return {
    message: `${peer} timed out after ${progress.timeout / 1000} s`,
    hint: `${isProxy ? check : 'Try again'}, or allow more time with --timeout SECONDS`,
  }
}

/** The peer is the proxy until it has opened a connection, then the server. */
function firstOnTheWay(progress: Progress) {
  return peerOf(progress.sent ? { ...progress, proxy: undefined } : progress)
}

function peerOf({ request, proxy }: Progress) {
  return proxy
    ? { peer: `The proxy ${proxy.host}`, isProxy: true, check: 'Check the proxy variables' }
    : { peer: request.url.host, isProxy: false, check: 'Check the base URL' }
}
