/** Runs `work` in order, `width` at a time. After an error it begins no more, and throws at the end. */
export async function runParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const errors: unknown[] = []
  const worker = async () => {
    try {
      while (errors.length === 0) {
        const next = source.next()
        const { done, value } = next instanceof Promise ? await next : next
        if (done || errors.length > 0) return
        await work(value)
      }
    } catch (error) {
      errors.push(error)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker))
  if (errors.length > 0) throw errors[0]
}
