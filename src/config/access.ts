/** What a proxy in front of the service wants beside the key. It comes from where the key comes from, and goes where it goes. */
import type { Host } from '../host.ts'
import type { Config } from './current.ts'
import type { Warn } from './private-input.ts'
import { settings as table } from './settings.ts'

export type Headers = Readonly<Record<string, string>>

export interface Access {
  readonly headers: Headers
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
  const { headersFile } = values
  return {
    headers:
      headersFile === undefined
        ? {}
        : await (await import('./headers-file.ts')).readHeadersFile(headersFile, host, warn),
  }
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
