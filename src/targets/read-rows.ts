/** The rows of `--rows`: what names an object, and the values to set. */
import { eventDefinitions } from '../api/endpoints.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { decodeGiven, isObject, type Json, type JsonObject } from '../json/exact.ts'
import { isPropertyPath, nameOfField, nameOfProperty, propertyPath } from '../json/property-path.ts'
import { collectionOf, type TargetIds } from '../operations/collections.ts'
import { shellWord } from '../text/shell-words.ts'
import { exactKind, fieldProblem } from '../values/field-problem.ts'
import { boolean, isJsonNumber, json, type Kind } from '../values/kinds.ts'
import { type Entry, readList } from './read-list.ts'
import { idIn, type NamedLine, type NameList, nameIn, otherResource, personIn } from './read-names.ts'
import type { ListFile } from './source.ts'
import { refuseWrongLines, type WrongLine } from './wrong-lines.ts'

const personKeys = ['id', 'email', 'distinct_id', 'properties.email'] as const
const otherKeys = ['id', 'name'] as const

export async function readRows(context: Context, kind: TargetIds, file: ListFile, types: readonly string[]) {
  const isOfPersons = collectionOf(kind) === 'persons'
  const fields = new Map(
    Object.entries<Kind<unknown>>(isOfPersons ? { properties: json } : eventDefinitions.update.body),
  )
  const wanted = isOfPersons ? personKeys : otherKeys
  const list = await readList(context, { option: '--rows', ...file, wanted, known: [...fields.keys()] })
  const { where, unit, sha256 } = list
  const entries = [...list.entries]
  const by = wanted.find(key => entries.some(entry => nameIn(entry, [key]) !== undefined)) ?? 'id'
  const typeOf = columnTypes(types, entries, where)
  const passed = new Set<string>()
  const wrong: WrongLine[] = []
  const rows = new Map<string, NamedLine>()
  for (const entry of entries) {
    const { line } = entry
    const [text, noName] = by === 'id' ? idIn(entry, [by], kind) : personIn(entry, [by])
    const problem = otherResource(kind, entry.value) ?? noName
    const key = by === 'id' ? text.toLowerCase() : text
    const same = rows.get(key)
    if (entry.value !== undefined && !isObject(entry.value)) wrong.push({ line, text, problem: 'is no row' })
    else if (problem) wrong.push({ line, text, ...problem })
    else if (same) wrong.push({ line, text, problem: `names the same object as ${unit} ${same.line}` })
    else {
      const body = bodyOf(entry, { fields, by, typeOf, passed, fail: fault => wrong.push({ line, ...fault }) })
      rows.set(key, { text, line, body })
    }
  }
  refuseWrongLines(context, list, wrong, file.unmatched)
  if (passed.size > 0) {
    const hint = isOfPersons ? '; a property is a column properties.KEY' : ''
    context.messages.warn(`${where}: columns that cannot be set are passed over: ${[...passed].join(', ')}${hint}`)
  }
  const lines = [...rows.values()].filter(({ body = {} }) => Object.keys(body).length > 0)
  const named: NameList = { where, unit, isTyped: false, lines, sha256 }
  return { ...named, by: by === 'properties.email' ? 'email' : by }
}

interface Reading {
  readonly fields: ReadonlyMap<string, Kind<unknown>>
  readonly by: string
  readonly typeOf: (column: string) => CellType | undefined
  readonly passed: Set<string>
  readonly fail: (fault: Omit<WrongLine, 'line'>) => void
}

/** Empty if the row sets nothing. */
function bodyOf(entry: Entry, { fields, by, typeOf, passed, fail }: Reading): JsonObject {
  const isOfPersons = fields.has('properties')
  const values = new Map<string, Json>()
  const set = (name: string, value: Json): void => {
    if (isOfPersons && name === 'properties' && isObject(value)) {
      for (const [key, member] of Object.entries(value)) set(propertyPath(key), member)
    } else if (name !== by && !(fields.has(name) || (isOfPersons && isPropertyPath(name)))) passed.add(name)
    else if (name !== by && values.has(name)) fail({ text: name, problem: `gives ${name} twice` })
    else if (name !== by) values.set(name, value)
  }
  for (const [name, value] of Object.entries(isObject(entry.value) ? entry.value : {})) {
    if (entry.form === 'json') set(name, value)
    else if (value !== '') {
      const typed = typedCell(String(value), typeOf(name), fields.get(name))
      if ('problem' in typed) fail({ text: String(value), problem: `: ${name} ${typed.problem}` })
      else set(name, typed.value)
    }
  }
  if (isOfPersons) {
    if (values.has('properties')) fail({ text: '', problem: ': properties is no object' })
    const properties = [...values].map(([name, value]) => [nameOfProperty(name), value] as const)
    return properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }
  }
  for (const [name, value] of values) {
    const kind = fields.get(name)
    const problem = kind && value !== null ? fieldProblem(name, kind, value) : undefined
    if (problem !== undefined) fail({ text: String(value), problem: `: ${name} ${problem}` })
  }
  return Object.fromEntries(values)
}

type TypedCell = { readonly value: Json } | { readonly problem: string }

/** Cells are text unless a type is given or documented. */
function typedCell(cell: string, type: CellType | undefined, documented: Kind<unknown> | undefined): TypedCell {
  const kind = type === 'boolean' ? boolean : type === 'json' ? json : type === undefined ? documented : undefined
  if (type === 'number' && !isJsonNumber(cell)) return { problem: 'is not a number, such as 1234.5' }
  if (type === 'number' || kind === json || kind?.item) {
    try {
      return { value: decodeGiven(cell, '') }
    } catch (error) {
      return { problem: error instanceof UsageError ? `: ${error.message}` : 'is not JSON' }
    }
  }
  if (!kind) return { value: cell }
  // Spreadsheets write TRUE.
  const parsed = exactKind(kind).parse(kind === boolean ? cell.toLowerCase() : cell)
  return 'problem' in parsed ? { problem: `cannot be set: ${parsed.problem}` } : { value: parsed.value as Json }
}

const types = ['number', 'boolean', 'json', 'text'] as const

type CellType = (typeof types)[number]

/**
 * `--types` gives them, and must where all cells are numbers or all are booleans. Throws `UsageError` for the type of a missing
 * column: with a mistyped name its cells would be sent as text.
 */
function columnTypes(
  given: readonly string[],
  entries: readonly Entry[],
  where: string,
): (column: string) => CellType | undefined {
  const rows = entries.flatMap(({ form, value }) => (form === 'csv' && isObject(value) ? [value] : []))
  const columns = Object.keys(rows[0] ?? {})
  const typed = new Map(given.flatMap(list => list.split(',')).map(parseType))
  const missing = [...typed.keys()].find(key => !columns.some(column => nameOfField(column) === key))
  if (missing !== undefined && entries.length > 0) {
    const hint = rows.length === 0 ? 'Leave --types out: values of JSON have types' : 'Check the names of the columns'
    throw new UsageError(`--types: ${where} has no column ${missing}`, { hint })
  }
  const untyped = columns.filter(column => isPropertyPath(column) && !typed.has(nameOfField(column)))
  const wanting = untyped.flatMap(column => {
    const cells = rows.map(row => String(row[column] ?? '')).filter(cell => cell !== '')
    const looks = [cells.every(isJsonNumber) && 'number', cells.every(isBoolean) && 'boolean'].find(Boolean)
    return looks && cells.length > 0 ? [[nameOfField(column), looks] as const] : []
  })
  const [first] = wanting
  if (first) {
    const optionWith = (type?: string) =>
      `--types ${shellWord([...given, ...wanting.map(([key, looks]) => `${key}=${type ?? looks}`)].join())}`
    throw new UsageError(`${where}: ${first[0]} looks like a ${first[1]} in each row, and would be sent as text`, {
      hint: `Give ${optionWith()} or, for text, ${optionWith('text')}`,
    })
  }
  return column => typed.get(nameOfField(column))
}

function isBoolean(cell: string): boolean {
  return /^(true|false)$/i.test(cell)
}

function parseType(entry: string): readonly [key: string, type: CellType] {
  const at = entry.lastIndexOf('=')
  const type = types.find(one => one === entry.slice(at + 1))
  if (at > 0 && type) return [nameOfField(entry.slice(0, at)), type]
  throw new UsageError(`--types: ${JSON.stringify(entry)} is not of the form KEY=TYPE`, {
    hint: `A type is one of ${types.join(', ')}`,
  })
}
