import type { CsvError, Parser } from 'csv-parse'
import { UsageError } from '../errors.ts'
import type { LineBatch } from '../files/lines.ts'
import type { Entry } from './given-name.ts'
import { comparedHeading } from './spreadsheets.ts'

interface Column {
  readonly name: string
  /** The one that the file names, else `,`, `;` or a tab: spreadsheets differ. */
  readonly delimiter: string
  /** Lines end with CR alone, as on old Macs. */
  readonly hasReturns: boolean
}

const delimiters = [',', ';', '\t']

export function columnIn(header: string, name: string, separator?: string): Column | undefined {
  const delimiter = (separator === undefined ? delimiters : [separator]).find(one =>
    header.split(one).some(cell => comparedHeading(cell) === comparedHeading(name)),
  )
  if (delimiter === undefined) return undefined
  const hasReturns = /\r./s.test(header.replace(/"[^"]*("|$)/g, ''))
  return { name: comparedHeading(name), delimiter, hasReturns }
}

/** Bytes of the largest record; in a longer one, a quote was never closed. */
const largest = 16 * 1024 * 1024

/** Skips empty rows. Throws the errors of `readRecords`, and `UsageError` for a repeated column. */
export async function* readColumn(
  batches: AsyncIterable<LineBatch>,
  column: Column,
  from: number,
  where: string,
): AsyncGenerator<Iterable<Entry>> {
  const named = (headings: readonly string[]) => {
    const names = headings.map(comparedHeading)
    if (names.filter(name => name === column.name).length < 2) return names
    throw new UsageError(`${where} has two columns ${column.name}`, { hint: 'Keep one of them' })
  }
  const entries = function* (records: Iterable<CsvRecord>): Generator<Entry> {
    for (const { cells, line, source } of records) {
      const raw = cells.get(column.name) ?? ''
      yield { raw, line, form: formIn(source, raw) }
    }
  }
  for await (const records of readRecords(batches, column, named, from, where)) yield entries(records)
}

export function formIn(source: string, cell: string): Entry['form'] {
  return source.includes(`"${cell.replaceAll('"', '""')}"`) ? 'quoted' : 'plain'
}

export interface CsvRecord {
  readonly cells: ReadonlyMap<string, string>
  readonly line: number
  /** With the quotes. */
  readonly source: string
}

/** Replaces CRLF, which the parser would count as two lines within quotes; text never contains NUL. */
const crlf = '\n\0'

/** The parser would drop them at the end of a cell without quotes, although they may be part of a name. */
const keptBlanks = /[^\S \t\r\n\f\v]/g

function restore(text: string): string {
  return text.replaceAll(crlf, '\r\n').replaceAll('\0', '')
}

/** Throws `UsageError` for misplaced quotes and rows of unequal length, whose cells may be in the wrong column. */
export async function* readRecords(
  batches: AsyncIterable<LineBatch>,
  { delimiter, hasReturns }: Column,
  named: (headings: readonly string[]) => string[],
  from: number,
  where: string,
): AsyncGenerator<Iterable<CsvRecord>> {
  // Loaded only for a list in CSV.
  const csv = await import('csv-parse')
  const parser = csv.parse({
    delimiter,
    record_delimiter: hasReturns ? '\r' : [crlf, '\n'],
    skip_empty_lines: true,
    max_record_size: largest,
    relax_column_count: true,
    info: true,
    raw: true,
    trim: true,
  })
  // Reading to the end throws this error.
  parser.on('error', () => undefined)
  const before = from - 1
  let names: readonly string[] | undefined
  const recordsIn = function* (rows: Iterable<Row>): Generator<CsvRecord> {
    for (const { record: cells, info, raw } of rows) {
      const record = cells.map(restore)
      if (record.every(cell => cell === '')) continue
      const line = before + info.lines
      if (names && !isWhole(record, names)) {
        throw improper(where, line, 'a row has more or fewer cells than the header')
      }
      if (names) yield { cells: byName(record, names), line, source: restore(raw) }
      else names = named(record)
    }
  }
  try {
    for await (const { lines } of batches) {
      const text = `${lines.join('\n')}\n`.replace(keptBlanks, '$&\0')
      parser.write(hasReturns ? text : text.replaceAll('\r\n', crlf))
      yield recordsIn(parsed(parser))
      if (parser.errored) break
    }
    parser.end()
    for await (const row of parser as AsyncIterable<Row>) yield recordsIn([row])
  } catch (error) {
    if (!(error instanceof csv.CsvError)) throw error
    throw improper(where, before + (Number(error.lines) || 1), reasonOf(error), error)
  }
}

function* parsed(parser: Parser): Generator<Row> {
  for (let row: Row | null = parser.read(); row !== null; row = parser.read()) yield row
}

interface Row {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
  readonly raw: string
}

/** Spreadsheets omit empty cells at the end of a row if their columns have no heading. */
function isWhole(cells: readonly string[], names: readonly string[]): boolean {
  return cells.length <= names.length && names.slice(cells.length).every(name => name === '')
}

/** If several columns have no heading, the last one with a value counts. */
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
    hint: 'Export it again, or correct that line',
    cause,
  })
}

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_MAX_RECORD_SIZE') return 'a row is larger than 16 MB, or a quote was never closed'
  return 'a quote is out of place, or was never closed'
}
