import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { isObject, type Json, type JsonObject } from '../json/exact.ts'
import { type CollectionSpec, collectionOf, collections, type TargetIds } from '../operations/collections.ts'
import { countOf } from '../text/grouped.ts'
import { idForms, idHint, isId } from '../values/ids.ts'
import type { ListRow } from './list-forms.ts'
import { type InputList, readEachName, readList } from './read-list.ts'
import type { ListFile, NameKind, Targets } from './source.ts'

/** The columns of a list that may hold the name. */
export const nameKinds = {
  email: { label: 'email', option: '--emails-from', columns: ['email', 'properties.email', 'properties'] },
  distinctId: { label: 'distinct id', option: '--distinct-ids-from', columns: ['distinct_id'] },
} as const satisfies Readonly<Record<NameKind, object>>

export interface NamedLine {
  readonly text: string
  readonly line: number
  /** The values that the row sets; undefined in a list of names. */
  readonly body: JsonObject | undefined
}

export interface NameList extends Pick<InputList, 'unit' | 'sha256'> {
  readonly by: NameKind
  readonly options: Omit<ListFile, 'file' | 'column'>
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

export async function readIds(context: Context, kind: TargetIds, file: ListFile): Promise<Targets> {
  const list = await readList(context, { option: '--from', columns: ['id'] }, file)
  const ids = new Map<string, string>()
  let lines = 0
  await readEachName(context, list, 'id', (text, row) => {
    refuseOtherResource(kind, row.row)
    const id = parseId(text, row, kind)
    lines++
    if (!ids.has(id.toLowerCase())) ids.set(id.toLowerCase(), id)
  })
  reportRepeats(context, list, lines - ids.size)
  return { ids: [...ids.values()], input: { lines, matched: lines, unmatched: [], sha256: list.sha256 } }
}

export async function readNames(context: Context, by: NameKind, file: ListFile): Promise<NameList> {
  const { option, columns } = nameKinds[by]
  const list = await readList(context, { option, columns }, file)
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
