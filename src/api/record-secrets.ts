/** Some servers repeat sent or stored values in error messages. */
import { decode, isObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { isSecretName, mayNameSecret } from '../secrets/secret-names.ts'
import { createSecrets, type Secrets } from '../secrets/secrets.ts'
import { canonicalId, idsIn } from './answers/record-identity.ts'
import type { Endpoint } from './endpoints.ts'

export function secretsIn(record: Item | string | undefined): string[] {
  if (!record || !mayNameSecret(record.toString('latin1'))) return []
  const fields = decode(record)
  if (!isObject(fields)) return []
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' && isSecretName(name) ? [value] : [],
  )
}

/** Items of an undocumented endpoint may have secret fields. */
export function mayHoldSecrets(endpoint: Endpoint | undefined): boolean {
  if (!endpoint) return true
  const { returns } = endpoint
  return 'of' in returns && Object.keys(returns.of.fields).some(isSecretName)
}

interface StoredSecrets {
  learn(record: Item | undefined): void
  /** Keeps the secrets of a record that may be written much later. */
  keep(record: Item): void
  hide(text: string, url: URL): string
}

/** Errors name records that were just read. */
const mostRecent = 2000

/** These are not in `Secrets`, which every answer and message is searched for: there may be thousands of records. */
export function createStoredSecrets(): StoredSecrets {
  const kept = new Map<string, readonly string[]>()
  const recent = createSecrets(mostRecent)
  return {
    learn: record => secretsIn(record).forEach(recent.addPassing),
    keep(record) {
      const secrets = secretsIn(record)
      if (secrets.length === 0) return
      // A list row and the record have different fields.
      for (const id of idsIn(record)) kept.set(id, [...new Set([...(kept.get(id) ?? []), ...secrets])])
    },
    hide(text, { pathname }) {
      const [, id = ''] = /([^/]*)\/?$/.exec(pathname) ?? []
      kept.get(canonicalId(id))?.forEach(recent.addPassing)
      return recent.hide(text)
    },
  }
}

export function withStored(secrets: Secrets, stored: StoredSecrets, url: URL): Secrets {
  return { ...secrets, hide: text => secrets.hide(stored.hide(text, url)) }
}
