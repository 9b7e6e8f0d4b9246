import { UsageError } from '../errors.ts'

export interface Columns {
  readonly where: string
  readonly nameOf: (heading: string) => string
}

interface CsvRow {
  readonly form: 'csv'
  readonly line: number
  readonly row: Readonly<Record<string, string>>
}

const delimiters = [',', ';', '\t']

export function columnNames(columns: readonly string[]): Columns['nameOf'] {
  const names = new Map(columns.map(name => [compared(name), name]))
  return heading => names.get(compared(heading)) ?? heading.replace(/^properties\./i, 'properties.')
}

export function delimiterOf(line: string, names: readonly string[], { nameOf }: Columns): string | undefined {
  return delimiters.find(one => cellsOf(line, one).some(part => names.includes(nameOf(part))))
}

export function headingsIn(line: string): readonly string[] {
  const [most = []] = delimiters.map(one => cellsOf(line, one)).toSorted((a, b) => b.length - a.length)
  return most
}

function cellsOf(line: string, delimiter: string): readonly string[] {
  return line.split(delimiter).map(part => part.trim().replace(/^"(.*)"$/, '$1'))
}

/** `Distinct ID` matches `distinct_id`; names of properties must match exactly. */
function compared(heading: string): string {
  if (/^properties\./i.test(heading)) return heading
  return heading.toLowerCase().replace(/[\s_\p{Dash_Punctuation}]/gu, '')
}

/** Cells are kept as they are. Throws `UsageError` for misplaced quotes, uneven rows, and two columns of one name. */
export async function rowsIn(text: string, delimiter: string, { where, nameOf }: Columns): Promise<readonly CsvRow[]> {
  const csv = await import('csv-parse/sync')
  try {
    return csv.parse<CsvRow, CsvRow['row']>(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n'],
      columns(headings: readonly string[]) {
        const names = headings.map(heading => nameOf(heading.trim()))
        const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
        if (twice === undefined) return names
        throw new UsageError(`${where} has two columns ${twice}`, { hint: 'Keep only one' })
      },
      // Spreadsheets write rows of empty cells at the end.
      skip_records_with_empty_values: true,
      relax_column_count: true,
      on_record(row, { lines: line, error }) {
        if (error) throw error
        return { form: 'csv', line, row }
      },
    })
  } catch (error) {
    if (!(error instanceof csv.CsvError)) throw error
    const isUneven = error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
    const reason = isUneven ? 'a row has more or fewer cells than the header' : 'a quote is out of place or not closed'
    throw new UsageError(`${where} is not valid CSV near line ${Number(error.lines) || 1}: ${reason}`, {
      hint: 'Export it again, or correct that line',
      cause: error,
    })
  }
}
