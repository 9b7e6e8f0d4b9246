/** Reads which ids, emails or distinct ids a list gives. */
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { ExactNumber, givenIn, isObject, type Json, type JsonObject, valueAt } from '../json/exact.ts'
import { type CollectionFacts, collectionOf, collections, type TargetIds } from '../operations/collections.ts'
import { countOf } from '../text/grouped.ts'
import { checkId, formOf } from '../values/ids.ts'
import { type InputList, type ListRow, readList } from './read-list.ts'
import type { ListFile, NameKind } from './source.ts'
import { refuseWrongLines, type WrongLine } from './unmatched.ts'

export interface NamedLine {
  readonly text: string
  readonly line: number
  /** What a row sets; undefined in a list of names. */
  readonly body: JsonObject | undefined
}

export interface NameList extends Omit<InputList, 'rows'> {
  /** One name that was given on the command line. */
  readonly isTyped: boolean
  readonly lines: readonly NamedLine[]
  /** The first line of each name. */
  readonly firstLines: ReadonlyMap<string, number>
}

export function nameListOf({ where, unit, sha256 }: Omit<InputList, 'rows'>, lines: readonly NamedLine[]): NameList {
  const firstLines = new Map<string, number>()
  for (const { text, line } of lines) if (!firstLines.has(text)) firstLines.set(text, line)
  return { where, unit, sha256, isTyped: false, lines, firstLines }
}

/** Begins a message about a name of a list. */
export function lineLabel({ where, unit, isTyped, firstLines }: NameList, name: string): string {
  return isTyped ? '' : `${where}, ${unit} ${firstLines.get(name)}: `
}

export async function readIds(context: Context, kind: TargetIds, file: ListFile) {
  const wanted = [file.column ?? 'id']
  const list = await readList(context, { option: '--from', ...file, wanted, known: [] })
  const ids = new Map<string, string>()
  const wrong: WrongLine[] = []
  let lines = 0
  for (const row of list.rows) {
    const [text, noId] = idIn(row, wanted, kind)
    const problem = otherResource(kind, row.row) ?? noId
    // A UUID may be in capitals.
    const key = text.toLowerCase()
    if (problem) wrong.push({ line: row.line, text, ...problem })
    else lines++
    if (!problem && !ids.has(key)) ids.set(key, text)
  }
  await refuseWrongLines(context, list, wrong, { file: file.unmatched, column: 'id' })
  reportRepeats(context, list, lines - ids.size)
  return { ids: [...ids.values()], lines, sha256: list.sha256 }
}

const personLists = {
  email: { option: '--emails-from', columns: ['email', 'properties.email', 'properties'] },
  distinctId: { option: '--distinct-ids-from', columns: ['distinct_id'] },
} as const

export async function readNames(context: Context, by: NameKind, file: ListFile): Promise<NameList> {
  const { option, columns } = personLists[by]
  const wanted = file.column === undefined ? columns : [file.column]
  const list = await readList(context, { option, ...file, wanted, known: [] })
  const lines: NamedLine[] = []
  const wrong: WrongLine[] = []
  for (const row of list.rows) {
    const [text, problem] = personIn(row, wanted)
    const { line } = row
    if (problem) wrong.push({ line, text, ...problem })
    else lines.push({ text, line, body: undefined })
  }
  await refuseWrongLines(context, list, wrong, { file: file.unmatched, column: columns[0] })
  const names = nameListOf(list, lines)
  reportRepeats(context, list, lines.length - names.firstLines.size)
  return names
}

function reportRepeats({ messages }: Context, { where, unit }: InputList, repeats: number): void {
  if (repeats > 0)
    messages.notice(`${where}: ${countOf(repeats, `duplicate ${unit} is`, `duplicate ${unit}s are`)} ignored`)
}

type Problem = Pick<WrongLine, 'problem' | 'hint'>

type Read = readonly [text: string, problem: Problem | undefined]

const notJson = { problem: 'is not JSON', hint: 'Give one object per line' }

/** Cells may have blanks around an id; those within a JSON text are part of it. */
export function idIn(row: ListRow, wanted: readonly string[], kind: TargetIds): Read {
  if (row.row === undefined) return ['', notJson]
  const name = nameIn(row, wanted)
  if (name === undefined || name === '') return ['', { problem: `has no ${wanted[0]}` }]
  const text = row.form === 'csv' ? name.trim() : name
  const isOfPersons = collectionOf(kind) === 'persons'
  const others = isOfPersons ? { email: '--emails-from', text: 'distinct ids use --distinct-ids-from' } : {}
  try {
    return [checkId(kind, text, others), undefined]
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [text, { problem: `is not the id of ${formOf(kind).of}`, hint: error.facts.hint }]
  }
}

/** Ids of all resources look alike, so a row with two fields that only another resource has is refused. */
export function otherResource(kind: TargetIds, row: Json | undefined): Problem | undefined {
  if (!isObject(row)) return undefined
  const own: CollectionFacts = collections[collectionOf(kind)]
  const foreign = Object.keys(row).filter(field => !Object.hasOwn(own.read.returns.of.fields, field))
  for (const { noun, read } of Object.values<CollectionFacts>(collections)) {
    const [first, second] = foreign.filter(field => Object.hasOwn(read.returns.of.fields, field))
    if (second !== undefined) {
      return { problem: `has ${first} and ${second}, which ${noun[1]} have and ${own.noun[1]} do not` }
    }
  }
  return undefined
}

export function personIn(row: ListRow, wanted: readonly string[]): Read {
  if (row.row === undefined) return ['', notJson]
  const text = nameIn(row, wanted) ?? ''
  if (text.trim() === '') return [text, { problem: `has no ${wanted[0]}` }]
  // No database of the service can store it in a text.
  if (text.includes('\0')) return [text, { problem: 'holds a NUL character' }]
  if (row.form !== 'plain' || !/^mailto:|[<>"]|\p{Cc}/iu.test(text)) return [text, undefined]
  const hint = `Write the name alone, as in ada@example.com; NDJSON takes any text, as in {"${wanted[0]}":"…"}`
  return [text, { problem: 'holds mailto:, < > " or a control character', hint }]
}

export function nameIn({ form, line, row }: ListRow, wanted: readonly string[]): string | undefined {
  if (!isObject(row)) return textOf(row)
  // The CSV of `persons list` holds all properties in one cell.
  const cell = form === 'csv' && wanted.includes('properties') ? row.properties : undefined
  const whole = typeof cell === 'string' ? { ...row, properties: givenIn(cell, `line ${line}: `) ?? null } : row
  return wanted.map(name => textOf(valueAt(whole, name))).find(text => text !== undefined)
}

/** A list of one id would read as that id, so only texts and numbers are names. */
function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || value instanceof ExactNumber ? String(value) : undefined
}
