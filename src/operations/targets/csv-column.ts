import { CsvError, type Parser, parse } from 'csv-parse'
import { UsageError } from '../../errors.ts'
import type { LineBatch } from '../../files/lines.ts'

interface Column {
  readonly name: string
  /** `,`, or `;` or a tab, as some spreadsheets write. */
  readonly delimiter: string
  /** Lines end in CR alone, as on old Macs. */
  readonly hasReturns: boolean
}

const delimiters = [',', ';', '\t']

export function columnIn(header: string, name: string): Column | undefined {
  const delimiter = delimiters.find(one =>
    header.split(one).some(cell => comparedHeading(cell) === comparedHeading(name)),
  )
  if (delimiter === undefined) return undefined
  const hasReturns = /\r./s.test(header.replace(/"[^"]*("|$)/g, ''))
  return { name: comparedHeading(name), delimiter, hasReturns }
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
  batches: AsyncIterable<LineBatch>,
  column: Column,
  from: number,
  where: string,
): AsyncGenerator<Iterable<readonly [value: string, line: number]>> {
  const named = (headings: readonly string[]) => {
    const names = headings.map(comparedHeading)
    if (names.filter(name => name === column.name).length < 2) return names
    throw new UsageError(`${where} has two columns ${column.name}`, { hint: 'Keep one of them' })
  }
  const values = function* (records: Iterable<CsvRecord>) {
    for (const { cells, line } of records) yield [cells.get(column.name) ?? '', line] as const
  }
  for await (const records of readRecords(batches, column, named, from, where)) yield values(records)
}

export interface CsvRecord {
  /** By heading. */
  readonly cells: ReadonlyMap<string, string>
  readonly line: number
}

/** Stands for CRLF, of which the parser would count two lines within quotes; no text holds NUL. */
const crlf = '\n\0'

/** Throws `UsageError` for a misplaced quote and for rows of unequal length, whose cells may be in the wrong column. */
export async function* readRecords(
  batches: AsyncIterable<LineBatch>,
  { delimiter, hasReturns }: Column,
  named: (headings: readonly string[]) => string[],
  from: number,
  where: string,
): AsyncGenerator<Iterable<CsvRecord>> {
  const parser = parse({
    delimiter,
    record_delimiter: hasReturns ? '\r' : [crlf, '\n'],
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: largest,
    relax_column_count: true,
    info: true,
    trim: true,
  })
  // Reading the parser to its end throws it.
  parser.on('error', () => undefined)
  const before = from - 1
  let names: readonly string[] | undefined
  const recordsIn = function* (rows: Iterable<Row>): Generator<CsvRecord> {
    for (const { record: cells, info } of rows) {
      const record = cells.map(cell => cell.replaceAll(crlf, '\r\n'))
      const line = before + info.lines
      if (names && !isWhole(record, names)) {
        throw improper(where, line, 'a row has more or fewer cells than the header')
      }
      if (names) yield { cells: byName(record, names), line }
      else names = named(record)
    }
  }
  try {
    for await (const { lines } of batches) {
      const text = `${lines.join('\n')}\n`
      parser.write(hasReturns ? text : text.replaceAll('\r\n', crlf))
      yield recordsIn(parsed(parser))
      if (parser.errored) break
    }
    parser.end()
    for await (const row of parser as AsyncIterable<Row>) yield recordsIn([row])
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw improper(where, before + (Number(error.lines) || 1), reasonOf(error), error)
  }
}

/** The rows that the parser has made of what was written so far. */
function* parsed(parser: Parser): Generator<Row> {
  for (let row: Row | null = parser.read(); row !== null; row = parser.read()) yield row
}

interface Row {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** Spreadsheets leave out empty cells at the end of a row where the column has no heading either. */
function isWhole(cells: readonly string[], names: readonly string[]): boolean {
  return cells.length <= names.length && names.slice(cells.length).every(name => name === '')
}

/** Among several columns without a heading, the last one that is not empty counts. */
function byName(record: readonly string[], names: readonly string[]): CsvRecord['cells'] {
  const cells = new Map<string, string>()
  for (const [i, cell] of record.entries()) {
    const name = names[i] ?? ''
    if (name !== '' || cell !== '') cells.set(name, cell)
  }
  return cells
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
