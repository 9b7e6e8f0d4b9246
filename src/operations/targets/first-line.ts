import type { LineBatch } from '../../files/lines.ts'

export interface BegunLines {
  readonly first: string
  readonly number: number
  /** Undefined unless the file names it. */
  readonly separator: string | undefined
  readonly batches: AsyncIterable<LineBatch>
}

/** Spreadsheets write the separator in a line like this before the header. */
const separatorLine = /^"?sep=(.)"?\r?$/i

export async function findFirstLine(batches: AsyncGenerator<LineBatch>): Promise<BegunLines | undefined> {
  let separator: string | undefined
  for (;;) {
    const { done, value: batch } = await batches.next()
    if (done) return undefined
    const before = batch.lines.findIndex(line => {
      const [, named] = separatorLine.exec(line) ?? []
      separator ??= named
      return line.trim() !== '' && named === undefined
    })
    const first = batch.lines[before]
    if (first === undefined) continue
    const number = batch.from + before
    return { first, number, separator, batches: prepend({ from: number, lines: batch.lines.slice(before) }, batches) }
  }
}

async function* prepend(first: LineBatch, rest: AsyncIterable<LineBatch>): AsyncGenerator<LineBatch> {
  yield first
  yield* rest
}
