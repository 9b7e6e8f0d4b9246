/** Finds objects by name: many names at a time where the server can, then the rest. */
import { AuthError, Failure, InterruptedError, RateLimitedError } from '../errors.ts'
import { runParallel } from '../jobs/run-parallel.ts'
import type { Item } from '../json/read-item.ts'

export interface NameLookup {
  /** The names of each request. Leaves out names that it cannot look up. */
  batchesOf(names: readonly string[]): readonly (readonly string[])[]
  /** Passes rows with exactly these names to `add`. Returns false if the server cannot do this, or its response is in doubt. */
  find(names: readonly string[], add: (name: string, row: Item) => void): Promise<boolean>
}

interface Lookups {
  readonly many: NameLookup
  readonly rest: NameLookup
  /** Identifies the object of a row. */
  readonly keyOf: (row: Item) => string
}

/** Returns the objects of each name that is found, by their keys. */
type Find = <T>(
  names: readonly string[],
  keep: (row: Item) => T,
) => Promise<ReadonlyMap<string, ReadonlyMap<string, T>>>

/** Remembers for the rest of a run if the server cannot look up many. */
export function finderOf({ many, rest, keyOf }: Lookups, concurrency: number): Find {
  let isManyUsable = true
  return async <T>(names: readonly string[], keep: (row: Item) => T) => {
    const found = new Map<string, Map<string, T>>()
    const add = (name: string, row: Item) => {
      const own = found.get(name) ?? new Map<string, T>()
      found.set(name, own.set(keyOf(row), keep(row)))
    }
    const lookUpMany = async (batch: readonly string[]) => {
      if (isManyUsable && !(await many.find(batch, add))) isManyUsable = false
    }
    const [first, ...others] = many.batchesOf(names)
    // The first response shows whether the server can do this.
    if (first) await lookUpMany(first)
    await runParallel(others, concurrency, lookUpMany)
    const left = names.filter(name => !found.has(name))
    await runParallel(rest.batchesOf(left), concurrency, async batch => void (await rest.find(batch, add)))
    return found
  }
}

/** Bytes of the encoded names of a GET: some servers take a first line of at most 4,094. */
export const mostQueryBytes = 3000

/** Splits names in order: at most `most` names, and at most `mostBytes` of a query. */
export function inBatches(
  names: readonly string[],
  most: number,
  mostBytes = Number.POSITIVE_INFINITY,
): readonly (readonly string[])[] {
  const batches: string[][] = []
  let length = 0
  for (const name of names) {
    const own = encodeURIComponent(JSON.stringify(`${name},`)).length
    const last = batches.at(-1)
    if (last && last.length < most && length + own <= mostBytes) {
      last.push(name)
      length += own
    } else {
      batches.push([name])
      length = own
    }
  }
  return batches
}

/** Returns undefined if the lookup fails. Throws if every other request would fail in the same way. */
export async function unlessInDoubt<T>(lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await lookUp()
  } catch (error) {
    // The key may be allowed to use other lookups.
    const isOfThisOnly = error instanceof AuthError && error.details.status === 403
    if (isOfAll(error) && !isOfThisOnly) throw error
    return undefined
  }
}

export function isOfAll(error: unknown): boolean {
  const final = [AuthError, InterruptedError, RateLimitedError]
  return final.some(one => error instanceof one) || !(error instanceof Failure)
}
