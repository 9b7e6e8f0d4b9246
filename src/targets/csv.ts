import { UsageError } from '../errors.ts'

interface Header {
  readonly delimiter: string
  /** A heading that stands for one of the names that are looked for gets its spelling. */
  readonly nameOf: (heading: string) => string
}

interface Row {
  readonly form: 'csv'
  readonly line: number
  readonly value: Readonly<Record<string, string>>
}

/** Spreadsheets differ. */
const delimiters = [',', ';', '\t']

/** Undefined for a line without any of the wanted headings. */
export function headerOf(line: string, wanted: readonly string[], known: readonly string[]): Header | undefined {
  const names = [...wanted, ...known]
  const nameOf = (heading: string) =>
    names.find(name => compared(name) === compared(heading)) ?? heading.replace(/^properties\./i, 'properties.')
  const delimiter = delimiters.find(one => partsOf(line, one).some(part => wanted.includes(nameOf(part))))
  return delimiter === undefined ? undefined : { delimiter, nameOf }
}

/** Of a line that may be the header of a CSV. */
export function headingsIn(line: string): readonly string[] {
  const most = delimiters.toSorted((a, b) => partsOf(line, b).length - partsOf(line, a).length)
  return partsOf(line, most[0] ?? ',')
}

function partsOf(line: string, delimiter: string): readonly string[] {
  return line.split(delimiter).map(part => part.trim().replace(/^"(.*)"$/, '$1'))
}

/** `Distinct ID` equals `distinct_id`, and `E-Mail` equals `email`; names of properties are compared letter by letter. */
function compared(heading: string): string {
  if (/^properties\./i.test(heading)) return heading
  return heading.toLowerCase().replace(/[\s_\p{Dash_Punctuation}]/gu, '')
}

/** Cells stand as they are. Throws `UsageError` for misplaced quotes, uneven rows, and two columns of one name. */
export async function rowsIn(text: string, header: Header, where: string): Promise<Iterable<Row>> {
  // Loaded only for a list in CSV.
  const csv = await import('csv-parse/sync')
  try {
    const records = csv.parse(text, {
      delimiter: header.delimiter,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n'],
      skip_records_with_empty_values: true,
      on_record: (cells, { lines }) => [String(lines), ...cells],
    })
    return entriesOf(records, header, where)
  } catch (error) {
    if (!(error instanceof csv.CsvError)) throw error
    throw improper(where, Number(error.lines) || 1, 'a quote is out of place or not closed', error)
  }
}

function* entriesOf(records: readonly string[][], { nameOf }: Header, where: string): Generator<Row> {
  const [, ...headings] = records[0] ?? []
  const names = headings.map(heading => nameOf(heading.trim()))
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
  if (twice !== undefined) throw new UsageError(`${where} has two columns ${twice}`, { hint: 'Keep one of them' })
  for (let i = 1; i < records.length; i++) {
    const [line, ...cells] = records[i] ?? []
    // Spreadsheets leave out empty cells at the end of a row if their columns have no heading.
    const isEven = cells.length <= names.length && names.slice(cells.length).every(name => name === '')
    if (!isEven) throw improper(where, Number(line), 'a row has more or fewer cells than the header')
    const value = Object.fromEntries(cells.map((cell, at) => [names[at] ?? '', cell]))
    yield { form: 'csv', line: Number(line), value }
  }
}

function improper(where: string, line: number, reason: string, cause?: unknown): UsageError {
  return new UsageError(`${where} is not proper CSV near line ${line}: ${reason}`, {
    hint: 'Export it again, or correct that line',
    cause,
  })
}
