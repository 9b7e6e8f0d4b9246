/** Removes variables that name the real service from the environment of a script. */

import { configFolder } from '../../config/folders.ts'
import type { Profile } from '../../config/resolve.ts'
import { readProfiles } from '../../config/store.ts'
import { Failure } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isLoopback, parseUrl } from '../../values/url.ts'

interface WithoutService {
  readonly safe: Host['env']
  readonly ignored: readonly string[]
}

export function withoutService(host: Pick<Host, 'cwd' | 'env' | 'home'>): WithoutService {
  const { env } = host
  const stored = storedProfiles(host)
  const keys = [env.ANALYTICS_API_KEY, env.ANALYTICS_API_KEY_FILE, ...stored.map(({ apiKey }) => apiKey)]
    .map(text => text?.trim() ?? '')
    // Shorter texts may occur in other values by chance.
    .filter(text => text.length > 5)
  const services = [env.ANALYTICS_BASE_URL, ...stored.map(({ baseUrl }) => baseUrl)].flatMap(placeIn)
  const leads = (name: string, value: string) =>
    identity.includes(name.toUpperCase()) ||
    keys.some(key => value.includes(key)) ||
    placesIn(value).some(place => services.some(service => isSamePlace(service, place)))
  const ignored = Object.keys(env).filter(name => env[name] && leads(name, env[name] ?? ''))
  return { safe: Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.includes(name))), ignored }
}

const identity = [
  'ANALYTICS_BASE_URL',
  'ANALYTICS_API_KEY',
  'ANALYTICS_API_KEY_FILE',
  'ANALYTICS_PROFILE',
  'ANALYTICS_HEADERS_FILE',
  'ANALYTICS_CLIENT_CERT',
  'ANALYTICS_CLIENT_KEY',
]

/** A script may mean any of these services; empty if the file cannot be read. */
function storedProfiles(host: Pick<Host, 'cwd' | 'env' | 'home'>): readonly Profile[] {
  try {
    return Object.values(readProfiles(configFolder(host)).profiles)
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

interface HostAndPort {
  readonly hostname: string
  readonly port: string | undefined
}

function placeIn(baseUrl = ''): readonly HostAndPort[] {
  const url = parseUrl(baseUrl)
  return url ? [placeOf(url)] : []
}

/** Finds hosts in URLs, lists and JSON, but not in paths: `/opt/analytics/bin` does not name `http://analytics/`. */
function placesIn(text: string): readonly HostAndPort[] {
  return [...text.matchAll(hostToken)].flatMap(([, scheme = '', host, port]) => {
    const url = parseUrl(`http://${host}`)
    if (!url) return []
    return [{ hostname: placeOf(url).hostname, port: port ?? defaultPorts[`${scheme.toLowerCase()}:`] }]
  })
}

/** A host with optional scheme and port; not a part of a longer name or a path, and not the user of a URL. */
const hostToken =
  /(?<=(?:([a-z][a-z\d+-]*):)?\/\/(?:[^\s/@]{0,200}@)?|^|[^\p{L}\p{M}\p{N}_.\\/-])(\[[\da-f:.]+\]|[\p{L}\p{M}\p{N}_.-]+(?![\p{L}\p{M}\p{N}_.-]))(?::(\d+))?(?!(?::[^\s/@,;|"']{0,200})?@)/giu

function placeOf({ hostname, port, protocol }: URL): HostAndPort {
  return { hostname: hostname.replace(/\.$/, ''), port: port || defaultPorts[protocol] }
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** On this machine, other services differ only in the port. */
function isSamePlace(one: HostAndPort, other: HostAndPort): boolean {
  if (isLoopback(one.hostname)) return isLoopback(other.hostname) && one.port === other.port
  return one.hostname === other.hostname
}
