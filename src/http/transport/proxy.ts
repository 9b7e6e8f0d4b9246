import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isLoopback, parseUrl, percentDecoded } from '../../values/url.ts'

/** Undefined for an address that is reached directly. Throws `UsageError` for a variable that is no address. */
export function proxyFor(url: URL, env: Host['env']): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const variable = proxyVariable(env, name)
  if (variable === '' || isLoopback(url.hostname) || isExcepted(url, proxyVariable(env, 'NO_PROXY'))) return undefined
  const proxy = parseProxyUrl(variable)
  if (proxy && /^https?:$/.test(proxy.protocol)) return proxy
  throw new UsageError(`${name} is not the address of a proxy`, {
    hint: 'Write it like http://proxy.example.com:3128, with %5C for \\ in a user name or password',
  })
}

/** An entry of the list is a host, alone or with a port; a host includes its subdomains. */
function isExcepted({ protocol, hostname, port }: URL, list: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[,\s]+/)
    .some(entry => {
      const [, host = '', only = own] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(entry) ?? []
      const isHost = hostname === host || hostname === `[${entry}]` || hostname.endsWith(`.${host}`)
      return host === '*' || (host !== '' && only === own && isHost)
    })
}

/** Messages must not show passwords, alone or with the user name, even of an invalid address. */
export function proxySecrets(env: Host['env']): string[] {
  return ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap(name => {
    const [, username = '', password = ''] = /^(?:\w+:\/\/)?([^:/@]*):([^/]*)@/.exec(proxyVariable(env, name)) ?? []
    if (password === '') return []
    const plain = percentDecoded(password)
    return [plain, `${percentDecoded(username)}:${plain}`]
  })
}

function proxyVariable(env: Host['env'], name: string): string {
  return (env[name.toLowerCase()] || env[name])?.trim() ?? ''
}

function parseProxyUrl(value: string): URL | undefined {
  // A URL parser reads a backslash as a slash, and the text before it as the host.
  return value.includes('\\') ? undefined : parseUrl(value.includes('://') ? value : `http://${value}`)
}
