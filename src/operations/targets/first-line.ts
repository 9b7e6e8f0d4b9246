import type { LineBatch } from '../../files/lines.ts'

export interface BegunLines {
  readonly first: string
  readonly number: number
  readonly batches: AsyncIterable<LineBatch>
}

/** Spreadsheets write the separator in a line like this before the header. */
const separator = /^sep=.\r?$/i

export async function findFirstLine(batches: AsyncGenerator<LineBatch>): Promise<BegunLines | undefined> {
  for (;;) {
    const { done, value: batch } = await batches.next()
    if (done) return undefined
    const before = batch.lines.findIndex(line => line.trim() !== '' && !separator.test(line))
    const first = batch.lines[before]
    if (first === undefined) continue
    const number = batch.from + before
    return { first, number, batches: prepend({ from: number, lines: batch.lines.slice(before) }, batches) }
  }
}

async function* prepend(first: LineBatch, rest: AsyncIterable<LineBatch>): AsyncGenerator<LineBatch> {
  yield first
  yield* rest
}
