/** Which id, e-mail or distinct id each entry of a list gives. */
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { ExactNumber, givenIn, isObject, type Json, type JsonObject, valueAt } from '../json/exact.ts'
import { type CollectionFacts, collectionOf, collections, type TargetIds } from '../operations/collections.ts'
import { countOf } from '../text/grouped.ts'
import { checkId, formOf } from '../values/ids.ts'
import { type Entry, type ReadList, readList } from './read-list.ts'
import type { ListFile, NameKind } from './source.ts'
import { refuseWrongLines, type WrongLine } from './wrong-lines.ts'

export interface NamedLine {
  readonly text: string
  readonly line: number
  /** What a row sets; undefined in a list of names. */
  readonly body: JsonObject | undefined
}

export interface NameList extends Omit<ReadList, 'entries'> {
  /** One name that stood on the command line. */
  readonly isTyped: boolean
  readonly lines: readonly NamedLine[]
}

export function namesIn({ lines }: NameList): readonly string[] {
  return [...new Set(lines.map(({ text }) => text))]
}

export function lineOf({ lines }: NameList, name: string): number | undefined {
  return lines.find(({ text }) => text === name)?.line
}

export function placesIn(list: NameList): (name: string) => string {
  return name => (list.isTyped ? '' : `${list.where}, ${list.unit} ${lineOf(list, name)}: `)
}

export async function readIds(context: Context, kind: TargetIds, file: ListFile) {
  const wanted = [file.column ?? 'id']
  const list = await readList(context, { option: '--from', ...file, wanted, known: [] })
  const ids = new Map<string, string>()
  const wrong: WrongLine[] = []
  let lines = 0
  for (const entry of list.entries) {
    const [text, noId] = idIn(entry, wanted, kind)
    const problem = otherResource(kind, entry.value) ?? noId
    // A UUID may be in capitals.
    const key = text.toLowerCase()
    if (problem) wrong.push({ line: entry.line, text, ...problem })
    else lines++
    if (!problem && !ids.has(key)) ids.set(key, text)
  }
  refuseWrongLines(context, list, wrong, file.unmatched)
  sayRepeats(context, list, lines - ids.size)
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
  for (const entry of list.entries) {
    const [text, problem] = personIn(entry, wanted)
    const { line } = entry
    if (problem) wrong.push({ line, text, ...problem })
    else lines.push({ text, line, body: undefined })
  }
  const { where, unit, sha256 } = list
  const names: NameList = { where, unit, isTyped: false, lines, sha256 }
  refuseWrongLines(context, list, wrong, file.unmatched)
  sayRepeats(context, list, lines.length - namesIn(names).length)
  return names
}

function sayRepeats({ messages }: Context, { where, unit }: ReadList, repeats: number): void {
  if (repeats === 0) return
  const repeat = countOf(repeats, `${unit} repeats another`, `${unit}s repeat others`)
  messages.notice(`${where}: ${repeat}; each counts once`)
}

type Wrong = Pick<WrongLine, 'problem' | 'hint'>

type Read = readonly [text: string, problem: Wrong | undefined]

const notJson = { problem: 'is not JSON', hint: 'Give one object per line' }

/** Cells may have blanks around an id; those within a JSON text are part of it. */
export function idIn(entry: Entry, wanted: readonly string[], kind: TargetIds): Read {
  if (entry.value === undefined) return ['', notJson]
  const name = nameIn(entry, wanted)
  if (name === undefined || name === '') return ['', { problem: `has no ${wanted[0]}` }]
  const text = entry.form === 'csv' ? name.trim() : name
  const isOfPersons = collectionOf(kind) === 'persons'
  const others = isOfPersons ? { email: '--emails-from', text: 'distinct ids use --distinct-ids-from' } : {}
  try {
    return [checkId(kind, text, others), undefined]
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [text, { problem: `is not the id of ${formOf(kind).of}`, hint: error.facts.hint }]
  }
}

/** Ids of resources look the same, so a row with two fields that only another resource has is none of ours. */
export function otherResource(kind: TargetIds, row: Json | undefined): Wrong | undefined {
  if (!isObject(row)) return undefined
  const own: CollectionFacts = collections[collectionOf(kind)]
  const foreign = Object.keys(row).filter(field => !Object.hasOwn(own.read.returns.of.fields, field))
  for (const { noun, read } of Object.values<CollectionFacts>(collections)) {
    const [first, second] = foreign.filter(field => Object.hasOwn(read.returns.of.fields, field))
    if (second !== undefined) {
      return { problem: `has ${first} and ${second}, which ${noun[1]} have and ${own.noun[1]} have not` }
    }
  }
  return undefined
}

export function personIn(entry: Entry, wanted: readonly string[]): Read {
  if (entry.value === undefined) return ['', notJson]
  const text = nameIn(entry, wanted) ?? ''
  if (text.trim() === '') return [text, { problem: `has no ${wanted[0]}` }]
  // No database of the service can hold it in a text.
  if (text.includes('\0')) return [text, { problem: 'holds a NUL character' }]
  if (entry.form !== 'plain' || !/^mailto:|[<>"]|\p{Cc}/iu.test(text)) return [text, undefined]
  const hint = `Write the name alone, as in ada@example.com; NDJSON takes any text, as in {"${wanted[0]}":"…"}`
  return [text, { problem: 'holds mailto:, < > " or a control character', hint }]
}

export function nameIn({ form, line, value }: Entry, wanted: readonly string[]): string | undefined {
  if (!isObject(value)) return textOf(value)
  // Its own CSV holds all properties in one cell.
  const cell = form === 'csv' && wanted.includes('properties') ? value.properties : undefined
  const row = typeof cell === 'string' ? { ...value, properties: givenIn(cell, `line ${line}: `) ?? null } : value
  return wanted.map(name => textOf(valueAt(row, name))).find(text => text !== undefined)
}

/** A list of one id would read as that id, so only texts and numbers are names. */
function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || value instanceof ExactNumber ? String(value) : undefined
}
