export interface BegunLines {
  readonly first: string
  readonly number: number
  /** The first line and all after it. */
  readonly lines: AsyncIterable<string>
}

/** Spreadsheets name the separator in a line like this before the header. */
const separator = /^sep=.$/i

/** Up to the first line that says anything; undefined where none does. */
export async function findFirstLine(lines: AsyncGenerator<string>): Promise<BegunLines | undefined> {
  for (let number = 1; ; number++) {
    const { done, value: first } = await lines.next()
    if (done) return undefined
    if (first.trim() !== '' && !separator.test(first)) return { first, number, lines: prepend(first, lines) }
  }
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
