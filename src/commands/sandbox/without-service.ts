/** Takes what leads to the real service out of the environment of a rehearsed script. */
import { Failure } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isLoopback } from '../../http/loopback.ts'
import { configFolder } from '../../profiles/folders.ts'
import type { Profile } from '../../profiles/resolve.ts'
import { readProfiles } from '../../profiles/store.ts'

interface WithoutService {
  readonly safe: Host['env']
  /** The names of the variables that were taken out. */
  readonly ignored: readonly string[]
}

export function withoutService(host: Host): WithoutService {
  const { env } = host
  const stored = storedProfiles(host)
  const keys = [env.ANALYTICS_API_KEY, env.ANALYTICS_API_KEY_FILE, ...stored.map(({ apiKey }) => apiKey)]
    .map(text => text?.trim() ?? '')
    // A shorter text is in other values by chance.
    .filter(text => text.length > 5)
  const hosts = [env.ANALYTICS_BASE_URL, ...stored.map(({ baseUrl }) => baseUrl)].flatMap(hostIn)
  const leads = (name: string, value: string) =>
    identity.includes(name.toUpperCase()) ||
    keys.some(key => value.includes(key)) ||
    hosts.some(pattern => pattern.test(value))
  const ignored = Object.keys(env).filter(name => env[name] && leads(name, env[name] ?? ''))
  return { safe: Object.fromEntries(Object.entries(env).filter(([name]) => !ignored.includes(name))), ignored }
}

const identity = ['ANALYTICS_BASE_URL', 'ANALYTICS_API_KEY', 'ANALYTICS_API_KEY_FILE', 'ANALYTICS_PROFILE']

/** Each may be the service that a script means; none where the file cannot be read. */
function storedProfiles(host: Host): readonly Profile[] {
  try {
    return Object.values(readProfiles(configFolder(host)).profiles)
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

/** Finds a host as a whole: `/opt/analytics/bin` does not name the service at `http://analytics/`. */
function hostIn(baseUrl = ''): RegExp[] {
  if (!URL.canParse(baseUrl)) return []
  const { hostname, host } = new URL(baseUrl)
  // Other services of this machine have the same name, but not the same port.
  const name = isLoopback(hostname) ? host : hostname
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return [new RegExp(`(^|//|[@,;=\\s"'])${escaped}($|[/:,;?#\\s"'])`, 'i')]
}
