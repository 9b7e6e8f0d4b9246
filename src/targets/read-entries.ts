/** Reads a list to its end, and says all of its mistakes at once. */
import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { type LineBatch, linesOf } from '../files/lines.ts'
import { inputChunks, isPipe } from '../files/read-input.ts'
import type { Host } from '../host.ts'
import { grouped } from '../text/grouped.ts'
import { dropBlanks, type Entry } from './given-name.ts'

export interface ReadList {
  /** Number of entries, including repeats. */
  readonly lines: number
  readonly sha256: string
  /** The last line of a pipe has no end: its writer may have been stopped. */
  readonly mayBeCut: boolean
  readonly lastLine: number
}

export function warnOfCut({ messages }: Pick<Context, 'messages'>, option: string, list: ReadList): void {
  if (!list.mayBeCut) return
  messages.warn(`${option}: the last line, number ${list.lastLine}, has no end: the list may be cut off`)
}

/** For messages. */
export function inputName(option: string, file: string): string {
  return `${option} ${file === '-' ? 'stdin' : file}`
}

interface Reading<E, V> {
  readonly where: string
  /** Batches are lazy, so that the first of several faults is thrown. */
  readonly open: (lines: AsyncGenerator<LineBatch>) => AsyncIterable<Iterable<E>>
  /** The entry as a file of mistakes keeps it. */
  readonly entryOf: (entry: E) => Entry
  /** Throws `UsageError` for a mistake. */
  readonly read: (entry: E) => V
  readonly keep: (value: V, line: number) => void
}

/** `file`: `-` is stdin. Throws `ListMistakes`, and `UsageError` for an unreadable list. */
export async function readAllEntries<E, V>(
  host: Host,
  file: string,
  { where, open, entryOf, read, keep }: Reading<E, V>,
): Promise<ReadList> {
  const digest = createHash('sha256')
  let lastByte = newline
  async function* tapped(): AsyncGenerator<Uint8Array> {
    for await (const chunk of inputChunks(host, { file, where })) {
      digest.update(chunk)
      lastByte = chunk.at(-1) ?? lastByte
      yield chunk
    }
  }
  const mistakes: Mistake[] = []
  let lines = 0
  let lastLine = 0
  try {
    for await (const batch of open(linesOf(tapped(), where))) {
      for (const own of batch) {
        const entry = entryOf(own)
        lines++
        lastLine = entry.line
        const value = orMistake(() => read(own))
        if (value instanceof UsageError) mistakes.push({ entry, error: value })
        else keep(value, entry.line)
      }
    }
  } catch (error) {
    // The mistakes that were found before are reported first.
    if (mistakes.length === 0 || !(error instanceof UsageError)) throw error
  }
  const [first, ...others] = mistakes
  if (first) throw new ListMistakes(first, others)
  const mayBeCut = lines > 0 && lastByte !== newline && isPipe(host, file)
  return { lines, sha256: digest.digest('hex'), mayBeCut, lastLine }
}

const newline = 10

function orMistake<T>(read: () => T): T | UsageError {
  try {
    return read()
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

interface Mistake {
  readonly entry: Entry
  readonly error: UsageError
}

/** The message names ten of the lines, and counts the others. */
export class ListMistakes extends UsageError {
  readonly entries: readonly { readonly text: string }[]

  constructor({ entry, error }: Mistake, others: readonly Mistake[]) {
    const named = others.slice(0, 9).map(other => other.entry.line)
    const more = others.length - named.length
    const list = `${named.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`
    const rest = `; there are mistakes on ${others.length === 1 ? 'line' : 'lines'} ${list} too`
    super(`${error.message}${others.length === 0 ? '' : rest}`, error.facts)
    this.entries = [entry, ...others.map(other => other.entry)].map(({ raw }) => ({ text: dropBlanks(raw) }))
  }
}

/** The first line of a list that holds something. */
export interface BegunLines {
  readonly first: string
  readonly number: number
  /** Undefined unless the file names it. */
  readonly separator: string | undefined
  /** From that line on. */
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
