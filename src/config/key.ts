import { AuthError, UsageError } from '../errors.ts'
import { isOfAnotherUser } from '../files/platform.ts'
import { readInputText } from '../files/read-input.ts'
import { absolutePath, type Host } from '../host.ts'
import type { Request } from '../http/message.ts'
import { isKey } from '../secrets/secrets.ts'
import { parseBaseUrl } from '../values/url.ts'
import type { Config } from './current.ts'
import { configFile, refuseShared } from './store.ts'

/** Throws `AuthError` if base URL or key is missing, or a profile's key would be sent to another address. */
export function serverAndKey(config: Config, host: Host) {
  const { values, origins, profile, keySetting: setting } = config
  if (!values.baseUrl) {
    throw new AuthError('No base URL given, and no profile in use', {
      hint: 'Run analytics profiles add NAME or profiles use NAME, set ANALYTICS_BASE_URL and ANALYTICS_API_KEY, or try --sandbox',
    })
  }
  const base = parseBaseUrl(values.baseUrl, values.allowHttp ?? false)
  refuseUncheckedTls(base, host.env.NODE_TLS_REJECT_UNAUTHORIZED)
  if (setting === undefined) {
    throw new AuthError('No key given', {
      hint: profile
        ? `Run analytics profiles set ${profile.name} --api-key-stdin, or set ANALYTICS_API_KEY`
        : 'Run analytics profiles add NAME, or set ANALYTICS_API_KEY or ANALYTICS_API_KEY_FILE',
    })
  }
  if (origins[setting] === 'profile' || origins.baseUrl === 'profile') refuseShared(host)
  if (setting === 'apiKeyCommand') refuseCommandOfAnother(configFile(host))
  if (profile) requireSameServer(config, profile, base, origins[setting] === 'profile')
  return { base, key: () => readKey[setting](values[setting] ?? '', host) }
}

/** With sudo, the command of another user would run as root. */
function refuseCommandOfAnother(path: string): void {
  if (!isOfAnotherUser(path)) return
  throw new AuthError(`${path} belongs to another user, so its key command is not run`, {
    hint: 'Use a configuration of your own, or set ANALYTICS_API_KEY',
  })
}

/** If Node accepts any certificate, an attacker can get the key. */
function refuseUncheckedTls({ protocol }: URL, checks: string | undefined): void {
  if (protocol !== 'https:' || checks !== '0') return
  throw new UsageError('NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off. Others could steal the key', {
    hint: 'Unset it. To trust a private certificate authority, use ANALYTICS_CA_FILE or --ca-file of the profile',
  })
}

/** A profile gives its key, and allows plain http, for its own base URL only. */
function requireSameServer(
  { values, origins }: Config,
  { name, values: own }: NonNullable<Config['profile']>,
  base: URL,
  isKeyOfProfile: boolean,
): void {
  const ownBase = own.baseUrl === undefined ? undefined : parseBaseUrl(own.baseUrl, true)
  if (ownBase?.href === base.href) return
  if (isKeyOfProfile) {
    throw new AuthError(`The key of profile ${name} is not sent to ${base.href}`, {
      hint: `It belongs to ${ownBase?.href ?? 'no base URL'}; set ANALYTICS_API_KEY, or add a profile for ${base.host}`,
    })
  }
  if (origins.allowHttp === 'profile') parseBaseUrl(values.baseUrl ?? '', false)
}

const readKey: Readonly<Record<NonNullable<Config['keySetting']>, (from: string, host: Host) => Promise<string>>> = {
  apiKey: async key => key.trim(),
  apiKeyFile: (file, host) => readKeyFile(host, absolutePath(host, file)),
  apiKeyCommand: async (command, host) => (await import('./key-command.ts')).runKeyCommand(command, host),
}

async function readKeyFile(host: Host, path: string): Promise<string> {
  const where = `The key file ${path}`
  const key = (await readInputText(host, { file: path, where, maxBytes: mostFileBytes })).trim()
  if (!isKey(key)) {
    throw new UsageError(`${where} has no key`, { hint: 'Put only the key in the file, in one line without quotes' })
  }
  return key
}

/** A device or pipe may be endless. */
const mostFileBytes = 1024 * 1024

const headersHint =
  'Write a line such as CF-Access-Client-Id: 1a2b for each header; a line that starts with # is a comment'

/** Reads headers for an access proxy. Throws `UsageError` with file and line; messages repeat no value. */
export async function readHeadersFile(path: string, host: Host): Promise<Request['headers']> {
  const where = `The headers file ${path}`
  const text = await readInputText(host, { file: path, where, maxBytes: mostFileBytes })
  const headers = new Map<string, readonly [name: string, value: string]>()
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^[ \t]*(#|$)/.test(line)) continue
    const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/s.exec(line) ?? []
    const problem =
      headerProblem(name, value) ?? (headers.has(name.toLowerCase()) ? `${name} is given twice` : undefined)
    if (problem) throw new UsageError(`${path}, line ${at + 1}: ${problem}`, { hint: headersHint })
    headers.set(name.toLowerCase(), [name, value])
  }
  if (headers.size === 0) throw new UsageError(`${where} has no header`, { hint: headersHint })
  return Object.fromEntries(headers.values())
}

/** Set by this program or the connection, or able to change the method of a request. */
const reservedHeaders =
  /^(authorization|connection|expect|host|http2-settings|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$|^(accept|content|proxy)(-|$)|method/i

function headerProblem(name: string, value: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return 'it does not begin with the name of a header and a colon'
  if (reservedHeaders.test(name)) return `${name} is not for this file, because analytics or the connection sets it`
  if (value === '') return `${name} has no value`
  return /^[\x20-\x7e]+$/.test(value)
    ? undefined
    : `the value of ${name} has characters that are not allowed in a header`
}
