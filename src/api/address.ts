/** Where requests go: the base URL, and rows filled in with ids. */
import { UsageError } from '../errors.ts'
import { isLoopback } from '../http/loopback.ts'

/**
 * Reads a base URL; a path prefix is kept. Throws `UsageError` for what is not one, and for plain `http` to another
 * machine unless that is allowed: the key would travel in the open.
 */
export function baseUrl(text: string, allowHttp: boolean): URL {
  if (!URL.canParse(text)) {
    throw new UsageError(`${JSON.stringify(text)} is not a base URL`, {
      hint: 'Give one such as https://analytics.example.com',
    })
  }
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(`The base URL must start with https://, not ${url.protocol}//`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError('The base URL may hold no user name, password, query or fragment', {
      hint: 'The key has its own place: see analytics help environment',
    })
  }
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
    throw new UsageError(`The key would travel to ${url.host} unencrypted over http`, {
      hint: 'Use https, or set ANALYTICS_ALLOW_HTTP=1 if that network is yours',
    })
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** The address of a path that starts with a slash, under the base URL and its prefix. */
export function addressOf(base: URL, path: string, query: readonly (readonly [string, string])[] = []): URL {
  const url = new URL(base.origin + base.pathname.slice(0, -1) + path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

/** Fills the `:name` parameters of a row's path, each as one segment. Throws `UsageError` for one that cannot be. */
export function fill(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => segment(name, parameters[name] ?? ''))
}

/**
 * One path segment, percent-encoded. Refused when it is empty or decodes, once or often, to `.` or `..`:
 * `DELETE …/persons/../` would be another object.
 */
export function segment(name: string, value: string): string {
  const what = name.endsWith('id') ? 'id' : name
  if (value === '') throw new UsageError(`An empty ${what} addresses nothing`, { hint: 'Check where it comes from' })
  refuseClimbing(value)
  if (!value.isWellFormed())
    throw new UsageError(`${JSON.stringify(value)} cannot be an ${what}: it is not valid Unicode`)
  return encodeURIComponent(value)
}

/** Throws `UsageError` for a segment of a path that decodes, once or often, to one that leads elsewhere. */
export function refuseClimbing(value: string): void {
  if (climbs(value)) {
    throw new UsageError(`${JSON.stringify(value)} cannot stand in a path: it would address something else`)
  }
}

function climbs(value: string): boolean {
  for (let text = value; ; ) {
    // Some servers cut a segment at its semicolon before they resolve the path.
    if (/^\.{1,2}(;|$)/.test(text) || /%(2f|5c)/i.test(text)) return true
    const decoded = text.replace(/%(2e|3b|25)/gi, code => decodeURIComponent(code))
    if (decoded === text) return false
    text = decoded
  }
}
