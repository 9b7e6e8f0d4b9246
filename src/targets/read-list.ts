import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { decodeUtf8, readInput } from '../files/read-input.ts'
import { writePrivateFile } from '../files/regular-file.ts'
import { absolutePath, type Host } from '../host.ts'
import { decodeInput, ExactNumber, isObject, type Json, valueAt } from '../json/exact.ts'
import { saveMemory } from '../memory.ts'
import { firstOf } from '../text/grouped.ts'
import { quoteText } from '../values/kinds.ts'
import { type ListColumns, type ListRow, rowsIn } from './list-forms.ts'
import type { ListFile } from './source.ts'

export type InputList = Awaited<ReturnType<typeof readList>>

const maxBytes = 256 * 1024 * 1024

export async function readList(
  { host, messages }: Context,
  { option, columns }: { readonly option: ListColumns['option']; readonly columns: readonly string[] },
  { file, column, unmatched }: ListFile,
) {
  const nameColumns = column === undefined ? columns : [column]
  const where = `${option} ${file === '-' ? 'stdin' : file}`
  if (file === '-' && host.stdin.isTerminal)
    messages.notice(`${option}: reading from the terminal, until Ctrl-D (Windows: Ctrl-Z and Enter)`)
  const bytes = await readInput(host, { file, where, maxBytes })
  refuseArchive(bytes, where)
  // An id and a line break are about ten bytes.
  await saveMemory(bytes.length / 10)
  const text = decodeUtf8(bytes, where)
  const { rows, unit, isWhole } = await rowsIn(text, where, { option, nameColumns, column })
  if (!isWhole && text !== '' && !text.endsWith('\n') && isPipe(host, file)) {
    messages.warn(`${where}: the last line has no line break, so the list may be incomplete`)
  }
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

function isPipe(host: Host, file: string): boolean {
  return file === '-' || statSync(absolutePath(host, file), { throwIfNoEntry: false })?.isFile() === false
}

interface UnmatchedLine {
  readonly line: number
  readonly text: string
  readonly reason: 'not-found' | 'other-case' | 'blanks' | 'not-an-id'
  /** Ids of the persons with a similar name. */
  readonly persons: readonly string[]
}

export const mostNamed = 10

export async function saveUnmatched(
  host: Pick<Host, 'cwd'>,
  file: string | undefined,
  column: string,
  lines: readonly UnmatchedLine[],
): Promise<void> {
  if (file === undefined) return
  const { csvText } = await import('../output/csv.ts')
  const rows = lines.map(({ line, text, reason, persons }) => [line, text, reason, persons.join(' ')])
  const csv = csvText([['line', column, 'reason', 'person_id'], ...rows])
  writePrivateFile(absolutePath(host, file), '--unmatched', csv)
}

/**
 * Passes the name of each row to `use`, which throws `UsageError` for a mistake; its message follows the number of the line.
 * Throws `UsageError` for the first mistake, with the numbers of ten, after saving all with `column` as heading.
 */
export async function readEachName(
  { host }: Context,
  { where, unit, rows, nameColumns, unmatched }: InputList,
  column: string,
  use: (name: string, row: ListRow) => void,
): Promise<void> {
  const wrong: UnmatchedLine[] = []
  let mistake: UsageError | undefined
  for (const row of rows) {
    let text = ''
    try {
      if (row.row === undefined) throw new UsageError('is not JSON', { hint: 'Give one object per line' })
      text = nameIn(row, nameColumns) ?? ''
      if (text.trim() === '') throw new UsageError(`has no ${nameColumns[0]}`)
      use(text, row)
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      mistake ??= error
      wrong.push({ line: row.line, text, reason: 'not-an-id', persons: [] })
    }
  }
  const [first, ...others] = wrong
  if (!first || !mistake) return
  await saveUnmatched(host, unmatched, column, wrong)
  // Logs are kept, so the text of a line is shown only at a terminal.
  const named = ({ line, text }: UnmatchedLine) =>
    host.stderr.isTerminal ? `${line} (${quoteText(text)})` : String(line)
  const rest = firstOf(others.map(named), mostNamed - 1)
  const also = others.length === 0 ? '' : `; correct ${unit}${others.length === 1 ? '' : 's'} ${rest} too`
  const { message } = mistake
  throw mistake.reworded(`${where}: ${unit} ${named(first)}${message.startsWith(':') ? '' : ' '}${message}${also}`)
}

export function nameIn({ form, row }: ListRow, nameColumns: readonly string[]): string | undefined {
  if (!isObject(row)) return nameText(row)
  // The CSV of `persons list` has all properties in one cell.
  const cell = form === 'csv' && nameColumns.includes('properties') ? row.properties : undefined
  const whole = typeof cell === 'string' ? { ...row, properties: decodeInput(cell, ': ') ?? null } : row
  return nameColumns.map(name => nameText(valueAt(whole, name))).find(text => text !== undefined)
}

/** A list of one id would read as that id, so only texts and numbers are names. */
function nameText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || value instanceof ExactNumber ? String(value) : undefined
}
