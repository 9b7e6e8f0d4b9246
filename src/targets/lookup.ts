/** Looks up objects by name: many names in one request where the server supports it, then the others. */
import { AuthError, Failure, InterruptedError, RateLimitedError } from '../errors.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import type { Item } from '../json/read-item.ts'

type Add = (name: string, row: Item) => void

export interface NameLookup {
  /** Leaves out names that it cannot look up. */
  batchesOf(names: readonly string[]): Iterable<readonly string[]>
  /** Passes rows with exactly these names to `add`. Returns false if the server does not support it, or cannot be trusted. */
  find(names: readonly string[], add: Add): Promise<boolean>
}

interface Lookups {
  readonly many: NameLookup
  readonly findRest: (names: readonly string[], add: Add) => Promise<unknown>
  readonly keyOf: (row: Item) => string
}

/** Remembers for the rest of a run if the server does not support lookups of many. */
export function finderOf({ many, findRest, keyOf }: Lookups, concurrency: number) {
  let isManyUsable = true
  return async <T>(names: readonly string[], keep: (row: Item) => T) => {
    const found = new Map<string, Map<string, T>>()
    const add = (name: string, row: Item) => {
      const own = found.get(name) ?? new Map<string, T>()
      found.set(name, own.set(keyOf(row), keep(row)))
    }
    const lookUpMany = async (batch: readonly string[]) => {
      if (!isManyUsable) return
      const rows: Parameters<Add>[] = []
      const isUsable = await tryLookup(() => many.find(batch, (...row) => void rows.push(row)))
      if (!isUsable) isManyUsable = false
      // After a failure, some rows of a name may be missing.
      if (isUsable !== undefined) for (const row of rows) add(...row)
    }
    const [first, ...others] = many.batchesOf(names)
    // The first response shows whether the server supports it.
    if (first) await lookUpMany(first)
    await runParallel(others, concurrency, lookUpMany)
    const left = names.filter(name => !found.has(name))
    if (left.length > 0) await findRest(left, add)
    return found
  }
}

/** Bytes of the encoded names of a GET: some servers take a first line of at most 4,094. */
const mostQueryBytes = 3000

export function queryBatches(names: readonly string[], most = Number.POSITIVE_INFINITY) {
  const batches: string[][] = []
  let length = 0
  for (const name of names) {
    const own = encodeURIComponent(JSON.stringify(`${name},`)).length
    const last = batches.at(-1)
    if (last && last.length < most && length + own <= mostQueryBytes) {
      last.push(name)
      length += own
    } else {
      batches.push([name])
      length = own
    }
  }
  return batches
}

/** Returns undefined if the lookup fails. Throws if every other lookup would fail in the same way. */
export async function tryLookup<T>(lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await lookUp()
  } catch (error) {
    // After a 403 the key may still be allowed to use other lookups.
    const isForbidden = error instanceof AuthError && error.details.status === 403
    const isFinal = [AuthError, InterruptedError, RateLimitedError].some(one => error instanceof one)
    if (!(error instanceof Failure) || (isFinal && !isForbidden)) throw error
    return undefined
  }
}
