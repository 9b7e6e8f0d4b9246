import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { writePrivateFile } from '../files/private-file.ts'
import { absolutePath, type Host } from '../host.ts'
import { decodeInput, ExactNumber, isObject, type Json, type JsonObject, valueAt } from '../json/exact.ts'
import { type CollectionSpec, collectionOf, collections, type TargetIds } from '../operations/collections.ts'
import { countOf, firstOf } from '../text/grouped.ts'
import { idForms, idHint, isId } from '../values/ids.ts'
import { quoteText } from '../values/kinds.ts'
import { type InputList, type ListRow, readList } from './read-list.ts'
import { type ListFile, type ListOptions, type NameKind, nameKinds } from './source.ts'

export interface NamedLine {
  readonly text: string
  readonly line: number
  /** The values that the row sets; undefined in a list of names. */
  readonly body: JsonObject | undefined
}

export interface NameList extends Pick<InputList, 'unit' | 'sha256'> {
  readonly by: NameKind
  readonly options: ListOptions
  /** Undefined for one name that was given on the command line. */
  readonly where: string | undefined
  readonly lines: readonly NamedLine[]
  readonly firstLines: ReadonlyMap<string, number>
}

export function nameListOf(list: Omit<NameList, 'firstLines'>): NameList {
  const firstLines = new Map<string, number>()
  for (const { text, line } of list.lines) if (!firstLines.has(text)) firstLines.set(text, line)
  return { ...list, firstLines }
}

export async function readIds(context: Context, kind: TargetIds, file: ListFile) {
  const list = await readList(context, { option: '--from', file, nameColumns: [file.column ?? 'id'] })
  const ids = new Map<string, string>()
  let lines = 0
  await readEachName(context, list, 'id', (text, row) => {
    refuseOtherResource(kind, row.row)
    const id = parseId(text, row, kind)
    lines++
    if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id)
  })
  reportRepeats(context, list, lines - ids.size)
  return { ids: [...ids.values()], lines, sha256: list.sha256 }
}

export async function readNames(context: Context, by: NameKind, file: ListFile): Promise<NameList> {
  const { option, columns } = nameKinds[by]
  const list = await readList(context, {
    option,
    file,
    nameColumns: file.column === undefined ? columns : [file.column],
  })
  const lines: NamedLine[] = []
  await readEachName(context, list, columns[0], (text, row) => {
    checkNameText(text, row)
    lines.push({ text, line: row.line, body: undefined })
  })
  const names = nameListOf({ ...list, by, options: file, lines })
  reportRepeats(context, list, lines.length - names.firstLines.size)
  return names
}

function reportRepeats({ messages }: Context, { where, unit }: InputList, repeats: number): void {
  if (repeats === 0) return
  messages.notice(`${where}: ${countOf(repeats, `duplicate ${unit} is`, `duplicate ${unit}s are`)} ignored`)
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

/** Cells may have spaces around an id; those within a JSON text are part of it. */
export function parseId(text: string, { form }: ListRow, kind: TargetIds): string {
  const isOfPersons = collectionOf(kind) === 'persons'
  const others = isOfPersons ? { email: '--emails-from', text: 'distinct ids use --distinct-ids-from' } : {}
  const id = form === 'csv' ? text.trim() : text
  if (isId(kind, id)) return id
  // The message does not repeat the text, since logs are kept.
  throw new UsageError(`is not the id of ${idForms[kind].of}`, { hint: idHint(kind, id, others) })
}

/** Ids of all resources look alike, so a row with two fields that only another resource has is refused. */
export function refuseOtherResource(kind: TargetIds, row: Json | undefined): void {
  const own: CollectionSpec = collections[collectionOf(kind)]
  const names = isObject(row) ? Object.keys(row) : []
  const foreign = names.filter(field => !Object.hasOwn(own.read.of, field))
  for (const { noun, read } of Object.values<CollectionSpec>(collections)) {
    const [first, second] = foreign.filter(field => Object.hasOwn(read.of, field))
    if (second === undefined) continue
    throw new UsageError(`has ${first} and ${second}, which are fields of ${noun[1]}, not of ${own.noun[1]}`)
  }
}

/** Throws `UsageError` for a text that cannot be the email, distinct id or name of an object. */
export function checkNameText(text: string, { form }: ListRow): void {
  // The databases of the service cannot store it.
  if (text.includes('\0')) throw new UsageError('holds a NUL character')
  if (form !== 'plain' || !/^mailto:|[<>"]|\p{Cc}/iu.test(text)) return
  throw new UsageError('holds mailto:, < > " or a control character', {
    hint: 'Write only the email or distinct id, as in ada@example.com. CSV and NDJSON take any text',
  })
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
