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

const delimiters = [',', ';', '\t']

/** Undefined for a line without any of the wanted headings. */
export function headerOf(line: string, wanted: readonly string[], known: readonly string[]): Header | undefined {
  const names = [...wanted, ...known]
  const nameOf = (heading: string) =>
    names.find(name => compared(name) === compared(heading)) ?? heading.replace(/^properties\./i, 'properties.')
  const delimiter = delimiters.find(one => partsOf(line, one).some(part => wanted.includes(nameOf(part))))
  return delimiter === undefined ? undefined : { delimiter, nameOf }
}

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
export async function rowsIn(text: string, { delimiter, nameOf }: Header, where: string): Promise<readonly Row[]> {
  // Loaded only for a list in CSV.
  const csv = await import('csv-parse/sync')
  try {
    return csv.parse<Row, Row['value']>(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      columns: (headings: readonly string[]) =>
        once(
          headings.map(heading => nameOf(heading.trim())),
          where,
        ),
      // A row without a cell that is filled is none, however long it is.
      skip_records_with_empty_values: true,
      relax_column_count: true,
      on_record(value, { lines: line, error }) {
        if (error) throw error
        return { form: 'csv', line, value }
      },
    })
  } catch (error) {
    if (!(error instanceof csv.CsvError)) throw error
    const isUneven = error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
    const reason = isUneven ? 'a row has more or fewer cells than the header' : 'a quote is out of place or not closed'
    throw new UsageError(`${where} is not proper CSV near line ${Number(error.lines) || 1}: ${reason}`, {
      hint: 'Export it again, or correct that line',
      cause: error,
    })
  }
}

function once(names: string[], where: string): string[] {
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
  if (twice === undefined) return names
  throw new UsageError(`${where} has two columns ${twice}`, { hint: 'Keep one of them' })
}
