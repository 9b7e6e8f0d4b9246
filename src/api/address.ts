import { UsageError } from '../errors.ts'
import { isLoopback } from '../http/loopback.ts'
import { type Collection, checkId } from '../values/ids.ts'
import { parseUrl } from '../values/url.ts'
import type { Endpoint } from './endpoints.ts'

/** Keeps a path prefix; throws `UsageError` for plain http to another machine, since the network could read the key. */
export function baseUrl(text: string, allowHttp: boolean): URL {
  const url = parseUrl(text)
  if (!url) {
    throw new UsageError(`${JSON.stringify(withoutUser(text))} is not a base URL`, {
      hint: 'Give one such as https://analytics.example.com',
    })
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(`The base URL must start with https://, not ${url.protocol}//`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('The base URL may hold no user name, password, query or fragment', {
      hint: 'The key has its own place: see analytics help environment',
    })
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new UsageError(`The key would be sent to ${url.host} unencrypted over http`, {
      hint: 'Use https; if that network is yours, set ANALYTICS_ALLOW_HTTP=1, or give the profile --allow-http',
    })
  }
  // An address that ends in ? or # keeps the sign, until an empty text is set.
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** The text of a base URL to show. In what is no such URL, all that stands before an @ may be a password. */
export function withoutUser(text: string): string {
  const { protocol = '', username, password } = parseUrl(text) ?? {}
  if (/^https?:$/.test(protocol) && !username && !password) return text
  return text.replace(/^(\w+:\/\/)?.*@/s, '$1…@')
}

export function addressOf(base: URL, path: string, query: readonly (readonly [string, string])[] = []): URL {
  const url = new URL(base.href.slice(0, -1) + path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

/** Fills in the `:name` parameters; throws `UsageError` for what is no id. No id holds what a path must encode. */
export function fill(path: string, parameters: Readonly<Record<string, string>>): string {
  const segments = path.split('/')
  return segments
    .map((segment, i) => {
      if (!segment.startsWith(':')) return segment
      return checkId(segments[i - 1] as Collection, parameters[segment.slice(1)] ?? '')
    })
    .join('/')
}

/** Throws `UsageError` for a segment that decodes, once or several times, to one with another meaning. */
export function refuseAmbiguousSegment(value: string): void {
  if (isAmbiguous(value)) {
    throw new UsageError(`${JSON.stringify(value)} cannot stand in a path: it would address something else`)
  }
}

function isAmbiguous(value: string): boolean {
  for (let text = value; ; ) {
    // Some servers cut a segment at its semicolon.
    if (/^\.{1,2}(;|$)/.test(text) || /%(2f|5c)/i.test(text)) return true
    const decoded = text.replace(/%(2e|3b|25)/gi, code => decodeURIComponent(code))
    if (decoded === text) return false
    text = decoded
  }
}

/** The segment at the place of `:name` in the row; empty where the row has none. */
export function segmentIn(path: string, row: Endpoint | undefined, name: string): string {
  return decodeURIComponent((row && path.split('/')[placeIn(row, name)]) ?? '')
}

export function placeIn({ path }: Endpoint, name: string): number {
  return path.split('/').indexOf(`:${name}`)
}
