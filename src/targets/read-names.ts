/** Which id, e-mail or distinct id each entry of a list gives. */
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { ExactNumber, isObject, type Json, valueAt } from '../json/exact.ts'
import { collectionOf, type TargetIds } from '../operations/collections.ts'
import { countOf } from '../text/grouped.ts'
import { checkId, formOf } from '../values/ids.ts'
import type { SoughtName } from './find-persons.ts'
import { type Mistake, refuseMistakes } from './mistakes.ts'
import { refuseOtherResource } from './other-resource.ts'
import { type Entry, type List, readList } from './read-list.ts'
import type { ListFile, NameKind } from './source.ts'

export interface NamedLine {
  readonly text: string
  readonly line: number
}

export interface NameList {
  readonly where: string
  /** One name that stood on the command line. */
  readonly isTyped: boolean
  /** Each name once, with its first line. */
  readonly names: readonly NamedLine[]
  /** All lines with a name, repeats too. */
  readonly lines: readonly NamedLine[]
  readonly sha256: string
}

/** As they are looked up. */
export function soughtIn({ names, where, isTyped }: NameList): readonly SoughtName[] {
  return names.map(({ text, line }) => ({ text, at: isTyped ? '' : `${where}, line ${line}: ` }))
}

export function typedName(text: string): NameList {
  const names = [{ text, line: 1 }]
  return { where: '', isTyped: true, names, lines: names, sha256: '' }
}

const personLists = {
  email: { option: '--emails-from', columns: ['email', 'properties.email'] },
  distinctId: { option: '--distinct-ids-from', columns: ['distinct_id'] },
} as const

/** Throws `UsageError` for lines that are no ids. */
export async function readIds(context: Context, kind: TargetIds, { file, column, unmatched }: ListFile): Promise<NameList> {
  const wanted = [column ?? 'id']
  const list = await readList(context, { option: '--from', file, wanted, hasColumns: column !== undefined })
  for (const entry of list.entries) refuseOtherResource(kind, fieldsOf(entry), list.where)
  // A UUID may be in capitals.
  return namesIn(context, list, entry => idIn(entry, wanted, kind), { unmatched, key: text => text.toLowerCase() })
}

/** Cells may have blanks around them; those within a JSON text are part of it. */
export function idIn(entry: Entry, wanted: readonly string[], kind: TargetIds): readonly [text: string, problem: Problem] {
  const name = nameIn(entry, wanted) ?? ''
  const text = entry.form === 'csv' ? name.trim() : name
  const isOfPersons = collectionOf(kind) === 'persons'
  const others = isOfPersons ? { email: '--emails-from', text: 'distinct ids use --distinct-ids-from' } : {}
  try {
    checkId(kind, text, others)
    return [text, undefined]
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return [text, { problem: `is not the id of ${formOf(kind).of}`, hint: error.facts.hint }]
  }
}

/** Throws `UsageError` for lines that can be no names. */
export async function readNames(context: Context, by: NameKind, { file, column, unmatched }: ListFile): Promise<NameList> {
  const { option, columns } = personLists[by]
  const wanted = column === undefined ? columns : [column]
  const list = await readList(context, { option, file, wanted, hasColumns: column !== undefined })
  const read = (entry: Entry) => {
    const text = nameIn(entry, wanted)
    return [text ?? '', nameProblem(entry.form, text, wanted[0])] as const
  }
  return namesIn(context, list, read, { unmatched, key: text => text })
}

export type Problem = Pick<Mistake, 'problem' | 'hint'> | undefined

interface Naming {
  readonly unmatched: string | undefined
  /** Equal for two spellings of one name. */
  readonly key: (text: string) => string
}

function namesIn(
  context: Context,
  { where, entries, sha256 }: List,
  read: (entry: Entry) => readonly [text: string, problem: Problem],
  { unmatched, key }: Naming,
): NameList {
  const lines: NamedLine[] = []
  const mistakes: Mistake[] = []
  const names = new Map<string, NamedLine>()
  for (const entry of entries) {
    const { line } = entry
    const [text, problem] = read(entry)
    if (problem) {
      mistakes.push({ line, text: text === '' ? sourceOf(entry) : text, ...problem })
      continue
    }
    lines.push({ text, line })
    if (!names.has(key(text))) names.set(key(text), { text, line })
  }
  refuseMistakes(context, where, mistakes, unmatched)
  sayRepeats(context, where, lines.length - names.size)
  return { where, isTyped: false, names: [...names.values()], lines, sha256 }
}

export function sayRepeats({ messages }: Context, where: string, repeats: number): void {
  if (repeats === 0) return
  const [repeat, count] = repeats === 1 ? ['repeats', 'counts'] : ['repeat', 'count']
  messages.notice(`${where}: ${countOf(repeats, 'line', 'lines')} ${repeat} another one, and ${count} once`)
}

export function nameIn(entry: Entry, wanted: readonly string[]): string | undefined {
  if (entry.form === 'plain') return entry.text
  if (entry.form === 'csv') {
    const column = wanted.find(name => entry.cells.has(name))
    return column === undefined ? undefined : entry.cells.get(column)
  }
  if (!isObject(entry.value)) return textOf(entry.value)
  return wanted.map(name => textOf(valueAt(entry.value, name))).find(text => text !== undefined)
}

/** A list of one id would read as that id, so only texts and numbers are names. */
function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || value instanceof ExactNumber ? String(value) : undefined
}

export function fieldsOf(entry: Entry): readonly string[] {
  if (entry.form === 'csv') return [...entry.cells.keys()]
  return entry.form === 'json' && isObject(entry.value) ? Object.keys(entry.value) : []
}

/** For the file that keeps the mistakes. */
function sourceOf(entry: Entry): string {
  return entry.form === 'json' && entry.value !== undefined ? JSON.stringify(entry.value) : ''
}

export function nameProblem(form: Entry['form'], text: string | undefined, wanted = ''): Problem {
  if (text === undefined || text.trim() === '') return { problem: `has no ${wanted}` }
  // No database of the service can hold it in a text.
  if (text.includes('\0')) return { problem: 'holds a NUL character' }
  if (form !== 'plain' || !/^mailto:|[<>"]|\p{Cc}/iu.test(text)) return undefined
  return {
    problem: 'holds mailto:, < > " or a control character',
    hint: `Write the name alone, as in ada@example.com; NDJSON takes any text, as in {"${wanted}":"…"}`,
  }
}
