import { UsageError } from '../errors.ts'

/** Undefined if the text is not a URL. Not `URL.canParse`: in Node 20, it refuses an ü once it is compiled. */
export function parseUrl(text: string, base?: URL | string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function isLoopback(hostname: string): boolean {
  return /^((.*\.)?localhost|\[::1\]|127(\.\d+){3})$/.test(hostname)
}

/** Base URL of the sandbox in this process; the host exists in no network. */
export const sandboxBase = 'http://sandbox.invalid/'

/** Keeps a path prefix. Throws `UsageError` for plain http to another machine, since the network could read the key. */
export function parseBaseUrl(text: string, allowHttp: boolean): URL {
  const url = parseUrl(text)
  if (!url) {
    throw new UsageError(`${JSON.stringify(withoutUser(text))} is not a base URL`, {
      hint: 'Use one like https://analytics.example.com',
    })
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(`The base URL must start with https://, not ${url.protocol}//`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('The base URL cannot have a user name, password, query or fragment', {
      hint: 'Set the key separately: see analytics help environment',
    })
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new UsageError(`The key would be sent to ${url.host} unencrypted over http`, {
      hint: 'Use https. To allow http in a network that you trust, set ANALYTICS_ALLOW_HTTP=1 or --allow-http of the profile',
    })
  }
  // An empty `?` or `#` stays in `href` until it is set to ''.
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** Text before an @ may be a password if this is not an http URL. */
export function withoutUser(text: string): string {
  const { protocol = '', username, password } = parseUrl(text) ?? {}
  if (/^https?:$/.test(protocol) && !username && !password) return text
  return text.replace(/^(\w+:\/\/)?.*@/s, '$1…@')
}
