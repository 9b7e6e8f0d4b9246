/** Some servers repeat in their error messages what they were sent, or what they have stored. */
import { decode, isObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { createSecrets, type Secrets } from '../secrets/secrets.ts'
import { canonicalId, idsIn } from './answers/record-identity.ts'
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
  /** Keeps the secrets of a record whose write may come long after it was read. */
  keep(record: Item): void
  /** `url`: of the request, which may name a kept record. */
  hide(text: string, url: URL): string
}

/** An error names what was just read, and a secret takes some 5 KB in all its spellings. */
const mostRecent = 2000

/** Kept apart from other secrets, which each answer and message is searched for: there may be thousands of records. */
export function createStoredSecrets(): StoredSecrets {
  const kept = new Map<string, readonly string[]>()
  /** Read since the last error, the newest last: most runs have no error, and search for nothing. */
  const unsearched = new Set<string>()
  /** What `newer` searches for. When it is full it becomes `older`, and the one before is forgotten. */
  let searched = new Set<string>()
  let newer = createSecrets()
  let older = createSecrets()
  const add = (secret: string) => {
    unsearched.delete(secret)
    unsearched.add(secret)
    const [oldest = ''] = unsearched
    if (unsearched.size > mostRecent) unsearched.delete(oldest)
  }
  const search = (secret: string) => {
    if (searched.has(secret)) return
    if (searched.size >= mostRecent) {
      older = newer
      newer = createSecrets()
      searched = new Set()
    }
    searched.add(secret)
    newer.add(secret)
  }
  return {
    learn: record => secretsIn(record).forEach(add),
    keep(record) {
      const secrets = secretsIn(record)
      if (secrets.length === 0) return
      // A row of a list and the record itself have different fields.
      for (const id of idsIn(record)) kept.set(id, [...new Set([...(kept.get(id) ?? []), ...secrets])])
    },
    hide(text, { pathname }) {
      const [, id = ''] = /([^/]*)\/?$/.exec(pathname) ?? []
      kept.get(canonicalId(id))?.forEach(add)
      unsearched.forEach(search)
      unsearched.clear()
      return older.hide(newer.hide(text))
    },
  }
}

/** For the text of an error that answers a request to this address. */
export function withStored(secrets: Secrets, stored: StoredSecrets, url: URL): Secrets {
  return { ...secrets, hide: text => secrets.hide(stored.hide(text, url)) }
}
