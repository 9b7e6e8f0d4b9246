/** What lookups of many names at a time have in common. */
import { AuthError, Failure, InterruptedError, RateLimitedError } from '../errors.ts'

/** Bytes of the encoded names of a GET: some servers take a first line of at most 4,094. */
export const mostQueryBytes = 3000

/** In order, at most so many names and so many bytes of a query. */
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

/** Undefined too if the lookup fails, unless every other request would fail in the same way. */
export async function unlessInDoubt<T>(lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await lookUp()
  } catch (error) {
    // A key may not use the lookup of many.
    const isOfThisOnly = error instanceof AuthError && error.facts.status === 403
    if (isOfAll(error) && !isOfThisOnly) throw error
    return undefined
  }
}

export function isOfAll(error: unknown): boolean {
  const final = [AuthError, InterruptedError, RateLimitedError]
  return final.some(one => error instanceof one) || !(error instanceof Failure)
}
