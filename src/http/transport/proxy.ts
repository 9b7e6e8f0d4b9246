import { UsageError } from '../../errors.ts'
import type { Env } from '../../host.ts'
import { parseUrl } from '../../values/url.ts'
import { isLoopback } from '../loopback.ts'

/** The lower-case name takes precedence, as in curl. The `UsageError` hides the value, which may contain a password. */
export function proxyFor(url: URL, env: Env): URL | undefined {
  const names = [url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY']
  const name = names.find(one => read(env, one)) ?? ''
  const value = read(env, name)
  if (!value || isLoopback(url.hostname) || isExcepted(url, read(env, 'NO_PROXY') ?? '')) return undefined
  const proxy = parse(value)
  if (!proxy?.hostname || !/^https?:$/.test(proxy.protocol)) {
    throw new UsageError(`${name} names no proxy that can be used`, {
      hint: 'Set it to an HTTP proxy such as http://proxy.example.com:3128 (SOCKS is not supported), or exempt the host with NO_PROXY',
    })
  }
  return proxy
}

export function proxyToken({ username, password }: URL): string | undefined {
  if (!username) return undefined
  const pair = `${decode(username)}:${decode(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** Messages must not show passwords, alone or with the user name as in the token. */
export function proxySecrets(env: Env): string[] {
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => {
    const proxy = parse(read(env, name) ?? '')
    if (!proxy?.password) return []
    const password = decode(proxy.password)
    return [password, `${decode(proxy.username)}:${password}`]
  })
}

function parse(value: string): URL | undefined {
  const text = value.includes('://') ? value : `http://${value}`
  return parseUrl(text)
}

function read(env: Env, name: string): string | undefined {
  return (env[name.toLowerCase()] || env[name])?.trim()
}

/** Entries are `*`, `example.com`, `.example.com` or `*.example.com`, with or without a port. */
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
