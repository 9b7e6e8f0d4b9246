/** Which proxy a request goes through, by the variables that every other program reads: HTTP_PROXY and its kin. */
import { UsageError } from '../errors.ts'
import { isLoopback } from './loopback.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The proxy for `url`, or undefined where it is reached directly. The lower-case name of a variable wins, as in curl;
 * a loopback address is never asked of a proxy, where it would be another machine's.
 * Throws `UsageError` for a variable that names no http or https proxy; its value, which may hold a password, is not shown.
 */
export function proxyFor(url: URL, env: Env): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const value = read(env, name)
  if (!value || isLoopback(url.hostname) || isExcepted(url, read(env, 'NO_PROXY') ?? '')) return undefined
  const text = value.includes('://') ? value : `http://${value}`
  const proxy = URL.canParse(text) ? new URL(text) : undefined
  if (!proxy?.hostname || !/^https?:$/.test(proxy.protocol)) {
    throw new UsageError(`${name} names no proxy that can be used`, {
      hint: 'Set it to one such as http://proxy.example.com:3128, or exempt the host with NO_PROXY',
    })
  }
  return proxy
}

/** The value of `Proxy-Authorization` for a proxy whose address carries a user; undefined where it does not. */
export function proxyToken({ username, password }: URL): string | undefined {
  if (!username) return undefined
  const pair = `${decode(username)}:${decode(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function read(env: Env, name: string): string | undefined {
  return (env[name.toLowerCase()] || env[name])?.trim()
}

/** Whether `list` names the host: `*`, `example.com`, `.example.com`, `*.example.com`, each with a `:port` or without. */
function isExcepted(url: URL, list: string): boolean {
  const host = url.hostname.toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      if (entry === '*') return true
      const [, name = '', wanted] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (name === '' || (wanted !== undefined && wanted !== port)) return false
      const bare = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name.replace(/^\*?\./, '')
      return host === bare || host.endsWith(`.${bare}`)
    })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
