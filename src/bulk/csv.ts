/** The column of ids in a CSV file. csv-parse lives here alone. */
import { CsvError, parse } from 'csv-parse'
import { UsageError } from '../errors.ts'

export interface Column {
  readonly name: string
  /** `,`, or `;` or a tab, as some spreadsheets write. */
  readonly delimiter: string
}

const delimiters = [',', ';', '\t']

/** The column in a header line that holds ids, if the line is such a header. */
export function columnIn(header: string, names: readonly string[]): Column | undefined {
  for (const delimiter of delimiters) {
    const cells = header.split(delimiter).map(cell => cell.trim().replace(/^"(.*)"$/, '$1'))
    const name = names.find(one => cells.includes(one))
    if (name !== undefined) return { name, delimiter }
  }
  return undefined
}

/** The largest record that is read, in bytes: past it a quote was surely never closed. */
const largest = 16 * 1024 * 1024

/**
 * The cells of a column with the lines they stand on, from text whose first line is the header. Throws `UsageError` for
 * a quote out of place and for rows of unequal length: what stands in the column then is not what the header says.
 */
export async function* readColumn(
  lines: AsyncIterable<string>,
  column: Column,
  where: string,
): AsyncGenerator<readonly [value: string, line: number]> {
  const parser = parse({
    columns: true,
    delimiter: column.delimiter,
    skip_empty_lines: true,
    max_record_size: largest,
    info: true,
    trim: true,
  })
  const feed = async () => {
    for await (const line of lines) {
      if (!parser.write(`${line}\n`)) await new Promise(resolve => parser.once('drain', resolve))
    }
    parser.end()
  }
  feed().catch((error: Error) => parser.destroy(error))
  try {
    for await (const { record, info } of parser as AsyncIterable<Row>) yield [record[column.name] ?? '', info.lines]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new UsageError(`${where} is not proper CSV near line ${Number(error.lines) || 1}: ${reasonOf(error)}`, {
      hint: 'Export it again, or give one id per line',
      cause: error,
    })
  }
}

interface Row {
  readonly record: Readonly<Record<string, string>>
  readonly info: { readonly lines: number }
}

function reasonOf({ code }: CsvError): string {
  if (code === 'CSV_RECORD_INCONSISTENT_COLUMNS') return 'a row has more or fewer cells than the header'
  if (code === 'CSV_MAX_RECORD_SIZE') return 'a row is larger than 16 MB, or a quote was never closed'
  return 'a quote is out of place, or was never closed'
}
