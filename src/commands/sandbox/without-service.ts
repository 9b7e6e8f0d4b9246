/** Takes what leads to the real service out of the environment of a rehearsed script. */
import { Failure } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isLoopback } from '../../http/loopback.ts'
import { configFolder } from '../../profiles/folders.ts'
import type { Profile } from '../../profiles/resolve.ts'
import { readProfiles } from '../../profiles/store.ts'
import { decodeEscapes } from '../../secrets/decode-escapes.ts'
import { parseUrl } from '../../values/url.ts'

interface WithoutService {
  readonly safe: Host['env']
  /** The names of the variables that were taken out. */
  readonly ignored: readonly string[]
}

export function withoutService(host: Pick<Host, 'cwd' | 'env' | 'home'>): WithoutService {
  const { env } = host
  const stored = storedProfiles(host)
  const keys = [env.ANALYTICS_API_KEY, env.ANALYTICS_API_KEY_FILE, ...stored.map(({ apiKey }) => apiKey)]
    .map(text => text?.trim() ?? '')
    // A shorter text is in other values by chance.
    .filter(text => text.length > 5)
  const services = [env.ANALYTICS_BASE_URL, ...stored.map(({ baseUrl }) => baseUrl)].flatMap(placeIn)
  const leads = (name: string, value: string) =>
    identity.includes(name.toUpperCase()) ||
    keys.some(key => value.includes(key)) ||
    placesIn(value).some(place => services.some(service => isSamePlace(service, place)))
  const ignored = Object.keys(env).filter(name => env[name] && leads(name, env[name] ?? ''))
  return { safe: Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.includes(name))), ignored }
}

const identity = ['ANALYTICS_BASE_URL', 'ANALYTICS_API_KEY', 'ANALYTICS_API_KEY_FILE', 'ANALYTICS_PROFILE']

/** Each may be the service that a script means; none where the file cannot be read. */
function storedProfiles(host: Pick<Host, 'cwd' | 'env' | 'home'>): readonly Profile[] {
  try {
    return Object.values(readProfiles(configFolder(host)).profiles)
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

interface Place {
  readonly hostname: string
  /** Undefined where neither the text nor its scheme says it. */
  readonly port: string | undefined
}

function placeIn(baseUrl = ''): readonly Place[] {
  const url = parseUrl(baseUrl)
  return url ? [placeOf(url)] : []
}

/** In URLs, lists and JSON, escaped or not. `/opt/analytics/bin` does not name the service at `http://analytics/`. */
function placesIn(text: string): readonly Place[] {
  const plain = Buffer.from(decodeEscapes(text).bytes, 'latin1').toString()
  return [...plain.matchAll(hostToken)].flatMap(([, scheme = '', host, port]) => {
    const url = parseUrl(`http://${host}`)
    if (!url) return []
    return [{ hostname: placeOf(url).hostname, port: port ?? defaultPorts[`${scheme.toLowerCase()}:`] }]
  })
}

/** With a scheme and a port, where it has them; no part of a longer name or of a path, and not the user of a URL. */
const hostToken =
  /(?<=(?:([a-z][a-z\d+-]*):)?\/\/(?:[^\s/@]{0,200}@)?|^|[^\p{L}\p{M}\p{N}_.\\/-])(\[[\da-f:.]+\]|[\p{L}\p{M}\p{N}_.-]+(?![\p{L}\p{M}\p{N}_.-]))(?::(\d+))?(?!(?::[^\s/@,;|"']{0,200})?@)/giu

function placeOf({ hostname, port, protocol }: URL): Place {
  return { hostname: hostname.replace(/\.$/, ''), port: port || defaultPorts[protocol] }
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** Other services of this machine have the same name, but not the same port. */
function isSamePlace(one: Place, other: Place): boolean {
  if (isLoopback(one.hostname)) return isLoopback(other.hostname) && one.port === other.port
  return one.hostname === other.hostname
}
