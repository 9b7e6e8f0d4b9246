import type { Connection } from '../context.ts'

/** Runs `work` in order, `width` items at a time. After an error it starts no more, and throws at the end. */
export async function runParallel<T>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = items[Symbol.iterator]()
  const errors: unknown[] = []
  const worker = async () => {
    try {
      while (errors.length === 0) {
        const { done, value } = source.next()
        if (done) return
        await work(value)
      }
    } catch (error) {
      errors.push(error)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker))
  if (errors.length > 0) throw errors[0]
}

export function* batchesOf<T>(items: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Servers limit requests per hour, so work on many objects must be able to wait for the next hour. */
export function withLongWaits(connection: Connection): Connection {
  return { ...connection, client: connection.client.with({ maxWaitMs: 65 * 60_000 }) }
}
