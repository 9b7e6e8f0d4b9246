import { UsageError } from '../../errors.ts'
import type { LineBatch } from '../../files/lines.ts'
import { columnIn, readColumn } from './csv-column.ts'
import { type BegunLines, findFirstLine } from './first-line.ts'
import { type AnyKind, type Entry, otherOption } from './given-name.ts'
import { refuseOtherResource } from './other-resource.ts'
import { comparedHeading } from './spreadsheets.ts'

interface Entries {
  readonly isPlain: boolean
  /** Batches are lazy, so that the first of several faults is thrown. */
  readonly batches: AsyncIterable<Iterable<Entry>>
}

export async function openEntries(lines: AsyncGenerator<LineBatch>, kind: AnyKind, where: string): Promise<Entries> {
  const begun = await findFirstLine(lines)
  if (!begun) return { isPlain: true, batches: entriesOf(lines, 'plain') }
  const { first, number, separator, batches } = begun
  const checkFields = kind.option === '--from' ? refuseOtherResource(kind.ids) : undefined
  if (first.trim().startsWith('{')) return { isPlain: false, batches: entriesOf(batches, 'json') }
  const column = columnOf({ first: first.trim(), separator }, kind, where)
  if (column) {
    checkFields?.(first.split(column.delimiter).map(comparedHeading), where)
    return { isPlain: false, batches: readColumn(batches, column, number, where) }
  }
  return { isPlain: true, batches: entriesOf(batches, 'plain') }
}

async function* entriesOf(batches: AsyncIterable<LineBatch>, form: 'plain' | 'json'): AsyncGenerator<Iterable<Entry>> {
  for await (const batch of batches) yield entriesIn(batch, form)
}

function* entriesIn({ from, lines }: LineBatch, form: 'plain' | 'json'): Generator<Entry> {
  let line = from
  for (const raw of lines) {
    if (raw.trim() !== '') yield { raw, line, form }
    line++
  }
}

/** Undefined for one name per line. Throws `UsageError` for an unsuitable list. */
function columnOf(
  { first, separator }: Pick<BegunLines, 'first' | 'separator'>,
  kind: AnyKind,
  where: string,
): ReturnType<typeof columnIn> {
  // `[object Object]` is a distinct id.
  if (/^\[\s*($|["{[\]\d-])/.test(first)) {
    throw new UsageError(`${where} holds a JSON array`, {
      hint: 'Give one object per line (-o ndjson), or one id per line (-o ids)',
    })
  }
  const column = columnIn(first, kind.column, separator)
  if (column) return column
  if (kind.isNamed) {
    throw new UsageError(`${where} has no column ${kind.column}`, { hint: 'Check --column, or leave it out' })
  }
  if (kind.option !== '--distinct-ids-from' && /[,;\t]/.test(first)) {
    throw new UsageError(`${where} looks like CSV, but has no column ${kind.column}`, {
      hint: `${otherOption(kind, first.split(/[,;\t]/))}Give that column the heading ${kind.column}, name another with --column, or give one per line`,
    })
  }
  return undefined
}
