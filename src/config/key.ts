import { resolve } from 'node:path'
import { parseBaseUrl } from '../api/base-url.ts'
import { AuthError, UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { isKey } from '../secrets/secrets.ts'
import type { Config } from './current.ts'
import { configFolder } from './folders.ts'
import { readPrivateInput, type Warn, warnIfReadable } from './private-input.ts'
import { configFile, refuseShared } from './store.ts'

interface ServerAndKey {
  readonly base: URL
  key(): Promise<string>
}

/** Throws `AuthError` if base URL or key is missing, or a profile's key would be sent to another address. */
export function serverAndKey(config: Config, host: Host, warn: Warn): ServerAndKey {
  const { values, profile } = config
  if (!values.baseUrl) {
    throw new AuthError('No base URL given, and no profile with one is in use', {
      hint: 'Run analytics profiles add NAME or profiles use NAME, set ANALYTICS_BASE_URL and ANALYTICS_API_KEY, or try --sandbox',
    })
  }
  const base = parseBaseUrl(values.baseUrl, values.allowHttp ?? false)
  refuseUncheckedTls(base, host.env)
  const setting = keySetting(config)
  if (setting === undefined) {
    throw new AuthError('There is no key', {
      hint: profile
        ? `Run analytics profiles set ${profile.name} --api-key-stdin, or set ANALYTICS_API_KEY`
        : 'Run analytics profiles add NAME, or set ANALYTICS_API_KEY or ANALYTICS_API_KEY_FILE',
    })
  }
  const { origins } = config
  if (origins[setting] === 'profile' || origins.baseUrl === 'profile') refuseShared(configFolder(host))
  if (setting === 'apiKey' && origins.apiKey === 'profile') {
    warnIfReadable(configFile(configFolder(host)), 'The file of the profiles', warn)
  }
  if (profile && origins[setting] === 'profile') refuseOtherOrigin(profile, base)
  // A profile allows plain http only for its own server.
  if (profile && origins.allowHttp === 'profile' && !isOwn(profile, base)) parseBaseUrl(values.baseUrl, false)
  return { base, key: () => readKey[setting](values[setting] ?? '', host, warn) }
}

/** If Node accepts any certificate, a man in the middle gets the key. */
function refuseUncheckedTls(
  url: URL,
  { NODE_TLS_REJECT_UNAUTHORIZED: checks }: Readonly<Record<string, string | undefined>>,
): void {
  if (url.protocol !== 'https:' || checks !== '0') return
  throw new UsageError('NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off, so the key could be stolen', {
    hint: 'Unset it; name a certificate authority of your own with ANALYTICS_CA_FILE or --ca-file of the profile',
  })
}

/** Environment variables take precedence over the profile. */
export function keySetting({ values, origins }: Pick<Config, 'values' | 'origins'>): keyof typeof readKey | undefined {
  if (origins.apiKey === 'environment') return 'apiKey'
  if (values.apiKeyFile !== undefined) return 'apiKeyFile'
  if (values.apiKey !== undefined) return 'apiKey'
  return values.apiKeyCommand === undefined ? undefined : 'apiKeyCommand'
}

type InUse = NonNullable<Config['profile']>

function ownBase({ values }: InUse): URL | undefined {
  return values.baseUrl === undefined ? undefined : parseBaseUrl(values.baseUrl, true)
}

function isOwn(profile: InUse, base: URL): boolean {
  return ownBase(profile)?.href === base.href
}

function refuseOtherOrigin(profile: InUse, base: URL): void {
  if (isOwn(profile, base)) return
  const own = ownBase(profile)
  const { name } = profile
  throw new AuthError(`The key of profile ${name} does not go to ${base.href}`, {
    hint: `It belongs to ${own?.href ?? 'no base URL'}; set ANALYTICS_API_KEY, or add a profile for ${base.host}`,
  })
}

const readKey = {
  apiKey: async (key: string) => key.trim(),
  apiKeyFile: async (file: string, host: Host, warn: Warn) => readKeyFile(host, resolve(host.cwd, file), warn),
  apiKeyCommand: async (command: string, host: Host) => (await import('./key-command.ts')).runKeyCommand(command, host),
}

/** Throws `UsageError` if the file contains no key. */
async function readKeyFile(host: Host, path: string, warn: Warn): Promise<string> {
  const hint = 'Check ANALYTICS_API_KEY_FILE, and whether you may read the file'
  const what = 'The key file'
  const key = (await readPrivateInput(path, { what, hint }, host)).trim()
  if (!isKey(key)) {
    throw new UsageError(`The key file ${path} holds no key`, {
      hint: 'Put the key alone into it, as plain text in one line without quotes',
    })
  }
  warnIfReadable(path, what, warn)
  return key
}
