import { CsvError, parse } from 'csv-parse'
import { UsageError } from '../../errors.ts'

interface Column {
  readonly name: string
  /** `,`, or `;` or a tab, as some spreadsheets write. */
  readonly delimiter: string
}

const delimiters = [',', ';', '\t']

export function columnIn(header: string, name: string): Column | undefined {
  const delimiter = delimiters.find(one =>
    header.split(one).some(cell => comparedHeading(cell) === comparedHeading(name)),
  )
  return delimiter === undefined ? undefined : { name: comparedHeading(name), delimiter }
}

/** Ignores differences in spelling: `Distinct ID` is `distinct_id`, and `E-Mail` is `email`, whatever their blank and hyphen. */
export function comparedHeading(heading: string): string {
  const text = heading.trim().replace(/^"(.*)"$/, '$1')
  return text.toLowerCase().replace(/[\s_\p{Dash_Punctuation}]/gu, '')
}

/** Bytes of the largest record: a longer one has a quote that was never closed. */
const largest = 16 * 1024 * 1024

/** Skips empty rows. Throws `UsageError` as `readRecords` does, and for a repeated column. */
export async function* readColumn(
  lines: AsyncIterable<string>,
  column: Column,
  from: number,
  where: string,
): AsyncGenerator<readonly [value: string, line: number]> {
  const named = (headings: readonly string[]) => {
    const names = headings.map(comparedHeading)
    if (names.filter(name => name === column.name).length < 2) return names
    throw new UsageError(`${where} has two columns ${column.name}`, { hint: 'Leave one of them' })
  }
  for await (const { record, line } of readRecords(lines, column.delimiter, named, from, where))
    yield [record[column.name] ?? '', line]
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>
  readonly line: number
}

/** Throws `UsageError` for a misplaced quote and for rows of unequal length, whose cells may be in the wrong column. */
export async function* readRecords(
  lines: AsyncIterable<string>,
  delimiter: string,
  named: (headings: readonly string[]) => string[],
  from: number,
  where: string,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: largest,
    relax_column_count: true,
    info: true,
    trim: true,
  })
  const before = from - 1
  const feed = async () => {
    for await (const line of lines) {
      if (!parser.write(`${line}\n`)) await new Promise(resolve => parser.once('drain', resolve))
    }
    parser.end()
  }
  feed().catch((error: Error) => parser.destroy(error))
  let names: readonly string[] | undefined
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<Row>) {
      const line = before + info.lines
      if (names && !isWhole(cells, names)) {
        throw improper(where, line, 'a row has more or fewer cells than the header')
      }
      if (names) yield { record: recordOf(cells, names), line }
      else names = named(cells)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw improper(where, before + (Number(error.lines) || 1), reasonOf(error), error)
  }
}

interface Row {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** Spreadsheets leave out empty cells at the end of a row where the column has no heading either. */
function isWhole(cells: readonly string[], names: readonly string[]): boolean {
  return cells.length <= names.length && names.slice(cells.length).every(name => name === '')
}

/** Of several columns without a heading, the last one that is not empty. */
function recordOf(cells: readonly string[], names: readonly string[]): CsvRecord['record'] {
  const filled = cells.flatMap((cell, i) => (names[i] === '' && cell === '' ? [] : [[names[i], cell] as const]))
  return Object.fromEntries(filled)
}

function improper(where: string, line: number, reason: string, cause?: unknown): UsageError {
  return new UsageError(`${where} is not proper CSV near line ${line}: ${reason}`, {
    hint: 'Export it again, or give one id per line',
    cause,
  })
}

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') return 'a row is larger than 16 MB, or a quote was never closed'
  return 'a quote is out of place, or was never closed'
}
