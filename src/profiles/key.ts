/** The key, wherever it is kept, and the one address it may go to. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { baseUrl } from '../api/address.ts'
import { AuthError, UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { Settings } from './current.ts'

export interface Identity {
  readonly base: URL
  /** Reads the key when the first request needs it. Throws `AuthError`. */
  key(): Promise<string>
}

/**
 * Where to go and with whose key. Throws `AuthError` where either is missing, and where a profile's key would go to
 * an address that is not that profile's.
 */
export function identify(settings: Settings, host: Host): Identity {
  const { values, origins, profile } = settings
  if (!values.baseUrl) {
    throw new AuthError('No service to talk to: there is no profile and no base URL', {
      hint: 'Run analytics profiles add NAME, set ANALYTICS_BASE_URL and ANALYTICS_API_KEY, or try --sandbox',
    })
  }
  const base = baseUrl(values.baseUrl, values.allowHttp ?? false)
  if (origins.apiKey === 'environment') return { base, key: async () => values.apiKey ?? '' }
  if (values.apiKeyFile) {
    const file = values.apiKeyFile
    return { base, key: async () => readKeyFile(file, host.cwd) }
  }
  if (!profile || (values.apiKey === undefined && values.apiKeyCommand === undefined)) {
    throw new AuthError('There is no key', {
      hint: profile
        ? `Run analytics profiles set ${profile.name} --api-key-stdin, or set ANALYTICS_API_KEY`
        : 'Run analytics profiles add NAME, or set ANALYTICS_API_KEY or ANALYTICS_API_KEY_FILE',
    })
  }
  if (baseUrl(profile.values.baseUrl as string, true).href !== base.href) {
    throw new AuthError(`The key of profile ${profile.name} does not go to ${base.host}`, {
      hint: `It belongs to ${profile.values.baseUrl}; set ANALYTICS_API_KEY, or add a profile for ${base.host}`,
    })
  }
  const { apiKey, apiKeyCommand } = values
  return {
    base,
    key: async () => apiKey ?? (await import('./key-command.ts')).runKeyCommand(apiKeyCommand ?? '', host),
  }
}

/** The key in a file, without the line end behind it. Throws `UsageError` where it cannot be read or holds none. */
function readKeyFile(file: string, cwd: string): string {
  const path = resolve(cwd, file)
  const hint = 'See ANALYTICS_API_KEY_FILE'
  let key: string
  try {
    key = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`The key file ${path} cannot be read`, { hint, cause: error })
  }
  if (!isKey(key)) throw new UsageError(`The key file ${path} holds no key`, { hint })
  return key
}

/** A key travels in a header line: visible ASCII only. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}
