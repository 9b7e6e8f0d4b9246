/** The forms of a list: lines, JSON, NDJSON and CSV. */
import { UsageError } from '../errors.ts'
import { decodeInput, encode, isObject, type Json } from '../json/exact.ts'

export interface ListRow {
  readonly form: 'plain' | 'csv' | 'json'
  readonly line: number
  /** A line without the spaces around it, the cells by heading, or a JSON value; undefined for a line that is not JSON. */
  readonly row: Json | undefined
}

export interface ListColumns {
  readonly option: keyof typeof hints
  /** Columns, one of which a CSV must have: the first that has a text names the object. */
  readonly nameColumns: readonly string[]
  /** The column that the user named. */
  readonly column: string | undefined
}

const hints = {
  '--from': 'Name it with --column NAME; for emails and distinct ids use --emails-from and --distinct-ids-from',
  '--emails-from': 'Name the column with --column NAME',
  '--distinct-ids-from': 'Name the column with --column NAME',
  '--rows': 'Give one of the columns that heading',
} as const

interface Reading extends ListColumns {
  readonly where: string
  /** The column that a heading names. */
  readonly nameOf: (heading: string) => string
}

/** `isWhole`: the text is one JSON value. The rows are lazy, so that a million lines are not a million objects. */
export async function rowsIn(text: string, where: string, columns: ListColumns) {
  const reading = { ...columns, where, nameOf: columnNames(columns.nameColumns) }
  const whole = /^\s*[[{]/.test(text) ? decodeInput(text, `${where}: `) : undefined
  const isWhole = whole !== undefined
  const rows = isWhole ? rowsInItems([whole].flat(), reading) : await rowsInLines(text, reading)
  const unit: 'item' | 'line' = Array.isArray(whole) ? 'item' : 'line'
  return { unit, rows, isWhole }
}

/** `Distinct ID` names `distinct_id`; names of properties must match exactly. */
function columnNames(columns: readonly string[]): Reading['nameOf'] {
  const compared = (heading: string) =>
    /^properties\./i.test(heading) ? heading : heading.toLowerCase().replace(/[\s_\p{Dash_Punctuation}]/gu, '')
  const names = new Map(columns.map(name => [compared(name), name]))
  return heading => names.get(compared(heading)) ?? heading.replace(/^properties\./i, 'properties.')
}

function* rowsInItems(items: readonly Json[], reading: Reading): Generator<ListRow> {
  for (const [i, row] of items.entries()) yield jsonRow(i + 1, row, reading)
}

/** Throws `UsageError` for two members of one column with different values. */
function jsonRow(line: number, row: Json | undefined, { where, nameOf }: Reading): ListRow {
  if (!isObject(row)) return { form: 'json', line, row }
  const members = new Map<string, Json>()
  for (const [key, value] of Object.entries(row)) {
    const name = nameOf(key)
    const before = members.get(name)
    if (before !== undefined && encode(before) !== encode(value)) {
      throw new UsageError(`${where}, line ${line}: ${name} is given twice`, { hint: 'Keep only one' })
    }
    members.set(name, value)
  }
  return { form: 'json', line, row: Object.fromEntries(members) }
}

async function rowsInLines(text: string, reading: Reading): Promise<Iterable<ListRow>> {
  const { where, nameOf, option, nameColumns, column } = reading
  const first = String(filledLines(text).next().value?.row ?? '')
  if (/^\[\s*($|["{\d\]-])/.test(first)) {
    throw new UsageError(`${where} is not valid JSON`, {
      hint: 'Give one object per line, or one array of all. The file may be incomplete',
    })
  }
  if (first.startsWith('{')) {
    return filledLines(text, (row, line) => jsonRow(line, decodeInput(row, `${where}, line ${line}: `), reading))
  }
  const delimiter = delimiters.find(one => cellsOf(first, one).some(cell => nameColumns.includes(nameOf(cell))))
  if (delimiter !== undefined) return csvRows(text, delimiter, reading)
  const headings = headingsIn(first)
  const isEven = ({ row }: ListRow) => headingsIn(String(row)).length === headings.length
  // A distinct id may contain a comma.
  const isCsv = headings.length > 1 && (option !== '--distinct-ids-from' || Array.from(filledLines(text)).every(isEven))
  if (first !== '' && (column !== undefined || option === '--rows' || isCsv)) {
    // Hides emails, since the first line may not be headings, and logs are kept.
    const there = headings.map(heading => (heading.includes('@') ? '…' : heading)).join(', ')
    throw new UsageError(`${where} has no column ${nameColumns.join(' or ')}; it has ${there}`, { hint: hints[option] })
  }
  return filledLines(text)
}

const delimiters = [',', ';', '\t']

function headingsIn(line: string): readonly string[] {
  const [most = []] = delimiters.map(one => cellsOf(line, one)).toSorted((a, b) => b.length - a.length)
  return most
}

function cellsOf(line: string, delimiter: string): readonly string[] {
  return line.split(delimiter).map(part => part.trim().replace(/^"(.*)"$/, '$1'))
}

function* filledLines(text: string, read = plainRow): Generator<ListRow> {
  for (let from = 0, line = 1; from < text.length; line++) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    const [row] = filled.exec(text.slice(from, to)) ?? []
    if (row !== undefined) yield read(row, line)
    from = to + 1
  }
}

/** Trims only ASCII spaces: others, such as a no-break space, may be part of a name. */
const filled = /[^\t-\r ](?:.*[^\t-\r ])?/s

function plainRow(row: string, line: number): ListRow {
  return { form: 'plain', line, row }
}

interface CsvRow extends ListRow {
  readonly row: Readonly<Record<string, string>>
}

/** Cells are kept as they are. Throws `UsageError` for misplaced quotes, uneven rows, and two columns of one name. */
async function csvRows(text: string, delimiter: string, { where, nameOf }: Reading): Promise<readonly ListRow[]> {
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
