import { BlockList, isIP } from 'node:net'
import { UsageError } from '../../errors.ts'
import type { Env } from '../../host.ts'
import { isLoopback, parseUrl } from '../../values/url.ts'
import { parseProxy, proxyNames, proxyVariable } from './proxy.ts'

/** The lower-case name takes precedence, as in curl. The `UsageError` hides the value, which may contain a password. */
export function proxyFor(url: URL, env: Env): URL | undefined {
  const name = proxyNames(url).find(one => proxyVariable(env, one)) ?? ''
  const value = proxyVariable(env, name)
  if (!value || isLoopback(url.hostname) || isExcepted(url, proxyVariable(env, 'NO_PROXY') ?? '')) return undefined
  const proxy = parseProxy(value)
  if (!proxy?.hostname || !/^https?:$/.test(proxy.protocol)) {
    throw new UsageError(`${name} names no proxy that can be used`, {
      hint: 'Set it to an HTTP proxy such as http://proxy.example.com:3128 (SOCKS is not supported), or exempt the host with NO_PROXY',
    })
  }
  return proxy
}

/** Entries are `*`, a domain with its subdomains, an address or a block of addresses, with or without a port. */
function isExcepted(url: URL, list: string): boolean {
  const host = hostIn(url.hostname)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some(entry => {
    if (entry === '*') return true
    const { name, bits, wanted } = partsOf(entry)
    if (wanted !== undefined && wanted !== port) return false
    const excepted = hostIn(name.replace(/^\*?\.+/, ''))
    if (excepted === undefined || host === undefined) return false
    if (isIP(host) === 0) return bits === undefined && (host === excepted || host.endsWith(`.${excepted}`))
    return isIP(excepted) !== 0 && holds(excepted, bits, host)
  })
}

/** An IPv6 address has a port only in brackets. */
function partsOf(entry: string) {
  const [, name = '', bits, port] = /^(\[.*\]|[^:/]*|.*:.*:[^/]*)(?:\/(\d+))?(?::(\d+))?$/.exec(entry) ?? []
  return { name, bits, wanted: port }
}

/** Every spelling of an address or a name becomes the same text; undefined for what is neither. */
function hostIn(name: string): string | undefined {
  const host = parseUrl(`http://${isIP(name) === 6 ? `[${name}]` : name}`)?.hostname
  return host?.replace(/^\[|\]$/g, '').replace(/\.$/, '') || undefined
}

function holds(address: string, bits: string | undefined, host: string): boolean {
  const block = new BlockList()
  try {
    if (bits === undefined) block.addAddress(address, familyOf(address))
    else block.addSubnet(address, Number(bits), familyOf(address))
  } catch {
    // No block has so many bits.
    return false
  }
  return block.check(host, familyOf(host))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
