import { UsageError } from '../../errors.ts'
import type { Env } from '../../host.ts'
import { isLoopback, parseUrl, percentDecoded } from '../../values/url.ts'

export function proxyFor({ protocol, hostname }: URL, env: Env): URL | undefined {
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const given = proxyVariable(env, name)
  if (given === '' || isLoopback(hostname)) return undefined
  const proxy = addressOf(given)
  if (proxy && /^https?:$/.test(proxy.protocol)) return proxy
  throw new UsageError(`${name} is no address of a proxy`, { hint: 'Write it like http://proxy.example.com:3128' })
}

/** Messages must not show passwords, alone or with the user name as they are sent. */
export function proxySecrets(env: Env): string[] {
  return ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap(name => {
    const { username = '', password = '' } = addressOf(proxyVariable(env, name)) ?? {}
    if (password === '') return []
    const plain = percentDecoded(password)
    return [plain, `${percentDecoded(username)}:${plain}`]
  })
}

export function proxyVariable(env: Env, name: string): string {
  return (env[name.toLowerCase()] || env[name])?.trim() ?? ''
}

function addressOf(value: string): URL | undefined {
  return parseUrl(value.includes('://') ? value : `http://${value}`)
}
