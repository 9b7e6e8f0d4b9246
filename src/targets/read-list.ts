import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { decodeUtf8, readInput } from '../files/read-input.ts'
import { absolutePath } from '../host.ts'
import { decodeInput, encode, isObject, type Json } from '../json/exact.ts'
import { saveMemory } from '../memory.ts'
import { type Columns, columnNames, delimiterOf, headingsIn, rowsIn } from './csv.ts'
import type { ListFile } from './source.ts'

export interface ListRow {
  readonly form: 'plain' | 'csv' | 'json'
  readonly line: number
  /** A line without the spaces around it, the cells by heading, or a JSON value; undefined for a line that is not JSON. */
  readonly row: Json | undefined
}

export interface InputList {
  readonly where: string
  readonly unit: 'line' | 'item'
  /** Lazy, so that a million lines are not a million objects. */
  readonly rows: Iterable<ListRow>
  readonly sha256: string
  /** Columns, one of which a CSV must have: the first that has a text names the object. */
  readonly nameColumns: readonly string[]
  readonly unmatched: string | undefined
}

interface ListSource extends Pick<InputList, 'nameColumns'> {
  readonly option: keyof typeof hints
  readonly file: ListFile
}

const hints = {
  '--from': 'Name it with --column NAME; for emails and distinct ids use --emails-from and --distinct-ids-from',
  '--emails-from': 'Name the column with --column NAME',
  '--distinct-ids-from': 'Name the column with --column NAME',
  '--rows': 'Give one of the columns that heading',
} as const

const maxBytes = 256 * 1024 * 1024

export async function readList({ host, messages }: Context, source: ListSource): Promise<InputList> {
  const { option, nameColumns } = source
  const { file, unmatched } = source.file
  const where = `${option} ${file === '-' ? 'stdin' : file}`
  if (file === '-' && host.stdin.isTerminal)
    messages.notice(`${option}: reading from the terminal, until Ctrl-D (Windows: Ctrl-Z and Enter)`)
  const bytes = await readInput(host, { file, where, maxBytes })
  refuseArchive(bytes, where)
  // An id and a line break are about ten bytes.
  await saveMemory(bytes.length / 10)
  const text = decodeUtf8(bytes, where)
  const whole = /^\s*[[{]/.test(text) ? decodeInput(text, `${where}: `) : undefined
  const columns = { where, nameOf: columnNames(nameColumns) }
  const rows = whole === undefined ? await rowsInLines(text, source, columns) : rowsInItems([whole].flat(), columns)
  if (whole === undefined && text !== '' && !text.endsWith('\n') && isPipe(host, file)) {
    messages.warn(`${where}: the last line has no line break, so the list may be incomplete`)
  }
  const unit = Array.isArray(whole) ? 'item' : 'line'
  return { where, unit, rows, sha256: createHash('sha256').update(bytes).digest('hex'), nameColumns, unmatched }
}

const archives = [
  { starts: '1f8b', is: 'a gzip file' },
  { starts: '504b0304', is: 'an Excel or zip file' },
  { starts: 'd0cf11e0', is: 'an Excel file' },
] as const

function refuseArchive(bytes: Buffer, where: string): void {
  const archive = archives.find(({ starts }) => bytes.toString('hex', 0, starts.length / 2) === starts)
  if (archive)
    throw new UsageError(`${where} is ${archive.is}`, { hint: 'Save the list as CSV (UTF-8), and give that' })
}

function* rowsInItems(items: readonly Json[], columns: Columns): Generator<ListRow> {
  for (const [i, row] of items.entries()) yield jsonRow(i + 1, row, columns)
}

/** Throws `UsageError` for two members of one column with different values. */
function jsonRow(line: number, row: Json | undefined, { where, nameOf }: Columns): ListRow {
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

async function rowsInLines(text: string, source: ListSource, columns: Columns): Promise<Iterable<ListRow>> {
  const { where } = columns
  const first = String(filledLines(text).next().value?.row ?? '')
  if (/^\[\s*($|["{\d\]-])/.test(first)) {
    throw new UsageError(`${where} is not valid JSON`, {
      hint: 'Give one object per line, or one array of all. The file may be incomplete',
    })
  }
  if (first.startsWith('{')) {
    return filledLines(text, (row, line) => jsonRow(line, decodeInput(row, `${where}, line ${line}: `), columns))
  }
  const { option, nameColumns, file } = source
  const delimiter = delimiterOf(first, nameColumns, columns)
  if (delimiter !== undefined) return rowsIn(text, delimiter, columns)
  const headings = headingsIn(first)
  const isEven = ({ row }: ListRow) => headingsIn(String(row)).length === headings.length
  // A distinct id may contain a comma.
  const isCsv = headings.length > 1 && (option !== '--distinct-ids-from' || Array.from(filledLines(text)).every(isEven))
  if (first !== '' && (file.column !== undefined || option === '--rows' || isCsv)) {
    const there = headings.map(withoutEmails).join(', ')
    throw new UsageError(`${where} has no column ${nameColumns.join(' or ')}; it has ${there}`, { hint: hints[option] })
  }
  return filledLines(text)
}

/** Hides emails, since the first line may not be headings, and logs are kept. */
function withoutEmails(heading: string): string {
  return heading.includes('@') ? '…' : heading
}

function* filledLines(text: string, read = plainRow): Generator<ListRow> {
  for (let from = 0, line = 1; from < text.length; line++) {
    const end = text.indexOf('\n', from)
    const to = end < 0 ? text.length : end
    const row = withoutBlanks(text.slice(from, to))
    if (row !== '') yield read(row, line)
    from = to + 1
  }
}

function plainRow(row: string, line: number): ListRow {
  return { form: 'plain', line, row }
}

/** Trims only ASCII spaces: others, such as a no-break space, may be part of a name. */
function withoutBlanks(line: string): string {
  let [from, to] = [0, line.length]
  while (from < to && isBlank(line.charCodeAt(from))) from++
  while (to > from && isBlank(line.charCodeAt(to - 1))) to--
  return line.slice(from, to)
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function isPipe(host: Context['host'], file: string): boolean {
  if (file === '-') return true
  const path = absolutePath(host, file)
  return existsSync(path) && !statSync(path).isFile()
}
