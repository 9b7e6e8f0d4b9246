/** Some servers repeat in their error messages what they were sent, or what they have stored. */
import { decode, isObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { createSecrets, type Secrets } from '../secrets/secrets.ts'
import type { Endpoint } from './endpoints.ts'
import { secretFields } from './resources.ts'

export function secretsIn(record: Item | string | undefined): string[] {
  if (!record || !secretFields.some(name => record.includes(name))) return []
  const fields = decode(record)
  if (!isObject(fields)) return []
  return secretFields.flatMap(name => {
    const value = fields[name]
    return typeof value === 'string' ? [value] : []
  })
}

/** Whether items of its answer may have secret fields: those of an endpoint that is not documented may. */
export function mayHoldSecrets(endpoint: Endpoint | undefined): boolean {
  if (!endpoint) return true
  const { returns } = endpoint
  return 'of' in returns && Object.values(returns.of.fields).some(({ secret }) => secret)
}

interface StoredSecrets {
  learn(record: Item | undefined): void
  hide(text: string): string
}

/** Kept apart from other secrets, which each answer and message is searched for: there may be thousands of records. */
export function createStoredSecrets(): StoredSecrets {
  const fresh = new Set<string>()
  const secrets = createSecrets()
  return {
    learn(record) {
      for (const secret of secretsIn(record)) fresh.add(secret)
    },
    hide(text) {
      for (const secret of fresh) secrets.add(secret)
      fresh.clear()
      return secrets.hide(text)
    },
  }
}

/** For the text of an error. */
export function withStored(secrets: Secrets, stored: StoredSecrets): Secrets {
  return { ...secrets, hide: text => secrets.hide(stored.hide(text)) }
}
