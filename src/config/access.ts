/** What a proxy in front of the service wants beside the key. It comes from where the key comes from, and goes where it goes. */
import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import type { ClientCertificate } from '../http/transport/client-certificate.ts'
import type { Config } from './current.ts'
import { readPrivateInput, type Warn, warnIfReadable } from './private-input.ts'
import { settings as table } from './settings.ts'

export type Headers = Readonly<Record<string, string>>

export interface Access {
  readonly headers: Headers
  readonly certificate: ClientCertificate | undefined
}

export const besideKey = ['headersFile', 'clientCert', 'clientKey'] as const

export const labelsBesideKey = {
  headersFile: 'headers file',
  clientCert: 'client certificate',
  clientKey: 'client key',
} as const

/** Throws `UsageError` for a file that cannot be used. Sends no request. */
export async function readAccess({ values, origins, profile }: Config, host: Host, warn: Warn): Promise<Access> {
  for (const name of besideKey) {
    const { variable } = table[name]
    if (host.env[variable] && origins[name] !== 'environment') {
      warn(`${variable} is not used, because the key comes from the profile ${profile?.name}`)
    } else if (profile?.values[name] !== undefined && origins[name] !== 'profile') {
      warn(
        `The ${labelsBesideKey[name]} of the profile ${profile.name} is not used, because the key comes from the environment`,
      )
    }
  }
  const { headersFile, clientCert, clientKey } = values
  return {
    headers:
      headersFile === undefined
        ? {}
        : await (await import('./headers-file.ts')).readHeadersFile(headersFile, host, warn),
    certificate: await readCertificate({ clientCert, clientKey }, host, warn),
  }
}

/** Throws `UsageError` for one without the other. */
export async function readCertificate(
  { clientCert, clientKey }: { readonly clientCert?: string | undefined; readonly clientKey?: string | undefined },
  host: Pick<Host, 'interrupted'>,
  warn: Warn,
): Promise<ClientCertificate | undefined> {
  if (clientCert === undefined && clientKey === undefined) return undefined
  if (clientCert === undefined || clientKey === undefined) {
    const [there, missing] = clientKey === undefined ? ['certificate', 'key'] : ['key', 'certificate']
    throw new UsageError(`There is a client ${there}, and no client ${missing} beside it`, {
      hint: 'Give both, with --client-cert and --client-key of the profile, or ANALYTICS_CLIENT_CERT and ANALYTICS_CLIENT_KEY',
    })
  }
  const hint = 'Check its path, and whether you may read it'
  const read = async (path: string, what: string) => ({
    path,
    text: await readPrivateInput(path, { what, hint }, host),
  })
  const { clientCertificate } = await import('../http/transport/client-certificate.ts')
  const cert = await read(clientCert, 'The client certificate')
  const made = clientCertificate(cert, await read(clientKey, 'The client key'))
  warnIfReadable(clientKey, 'The client key', warn)
  return made
}

/** Shorter texts occur inside ordinary words. */
const shortest = 8

/** Values that must not be shown: each as a whole, and its parts, such as a single cookie. */
export function headerSecrets(headers: Headers): string[] {
  const all = Object.values(headers).flatMap(value => [
    value,
    ...value.split(/[\s,;]+/).flatMap(part => [part, part.slice(part.indexOf('=') + 1)]),
  ])
  return all.filter(secret => secret.length >= shortest)
}
