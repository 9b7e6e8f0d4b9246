import type { Env } from '../../host.ts'
import { parseUrl } from '../../values/url.ts'

export function proxyToken({ username, password }: URL): string | undefined {
  if (!username) return undefined
  const pair = `${decode(username)}:${decode(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

/** Messages must not show passwords, alone or with the user name as in the token. */
export function proxySecrets(env: Env): string[] {
  return ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => {
    const proxy = parseProxy(proxyVariable(env, name) ?? '')
    if (!proxy?.password) return []
    const password = decode(proxy.password)
    return [password, `${decode(proxy.username)}:${password}`]
  })
}

export function parseProxy(value: string): URL | undefined {
  return parseUrl(value.includes('://') ? value : `http://${value}`)
}

/** The first that is set counts. */
export function proxyNames({ protocol }: URL): readonly string[] {
  return [protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY']
}

export function proxyVariable(env: Env, name: string): string | undefined {
  return (env[name.toLowerCase()] || env[name])?.trim()
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
