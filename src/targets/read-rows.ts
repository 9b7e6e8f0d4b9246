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
import { type ListRow, readList } from './read-list.ts'
import { idIn, type NamedLine, nameIn, nameListOf, otherResource, personIn } from './read-names.ts'
import type { ListFile } from './source.ts'
import { refuseWrongLines, type WrongLine } from './unmatched.ts'

const personKeys = ['id', 'email', 'distinct_id', 'properties.email'] as const
const otherKeys = ['id', 'name'] as const

export async function readRows(context: Context, kind: TargetIds, file: ListFile, types: readonly string[]) {
  const isOfPersons = collectionOf(kind) === 'persons'
  const fields = new Map(
    Object.entries<Kind<unknown>>(isOfPersons ? { properties: json } : eventDefinitions.update.body),
  )
  const wanted = isOfPersons ? personKeys : otherKeys
  const list = await readList(context, { option: '--rows', ...file, wanted, known: [...fields.keys()] })
  const { where, unit } = list
  const rows = [...list.rows]
  const by = wanted.find(key => rows.some(row => nameIn(row, [key]) !== undefined)) ?? 'id'
  const canSet = (name: string) => name !== by && (fields.has(name) || (isOfPersons && isPropertyPath(name)))
  const columns = new Set(rows.flatMap(({ row }) => (isObject(row) ? Object.keys(row) : [])))
  const skipped = [...columns].filter(name => name !== by && !canSet(name))
  const hint = isOfPersons ? 'Name the column of a property properties.KEY' : undefined
  const typeOf = columnTypes(types, rows, canSet, where)
  const wrong: WrongLine[] = []
  const lines = new Map<string, NamedLine>()
  for (const row of rows) {
    const { line } = row
    const [text, noName] = by === 'id' ? idIn(row, [by], kind) : personIn(row, [by])
    const problem = otherResource(kind, row.row) ?? noName
    const key = by === 'id' ? text.toLowerCase() : text
    const same = lines.get(key)
    if (row.row !== undefined && !isObject(row.row)) wrong.push({ line, text, problem: 'is not a row' })
    else if (problem) wrong.push({ line, text, ...problem })
    else if (same) wrong.push({ line, text, problem: `names the same object as ${unit} ${same.line}` })
    else {
      const body = bodyOf(row, { fields, canSet, typeOf, fail: fault => wrong.push({ line, text, problem: fault }) })
      lines.set(key, { text, line, body })
    }
  }
  await refuseWrongLines(context, list, wrong, { file: file.unmatched, column: by.replace('properties.', '') })
  if (columns.size > 0 && ![...columns].some(canSet)) {
    throw new UsageError(`${where} has no column that can be set; it has ${[...columns].join(', ')}`, { hint })
  }
  if (skipped.length > 0) {
    context.messages.warn(
      `${where}: skipped columns that cannot be set: ${skipped.join(', ')}${hint ? `. ${hint}.` : ''}`,
    )
  }
  const changing = [...lines.values()].filter(({ body = {} }) => Object.keys(body).length > 0)
  return { ...nameListOf(list, changing), by: by === 'properties.email' ? 'email' : by }
}

interface Reading {
  readonly fields: ReadonlyMap<string, Kind<unknown>>
  readonly canSet: (name: string) => boolean
  readonly typeOf: (column: string) => CellType | undefined
  /** The problem follows the number of the line. */
  readonly fail: (problem: string) => void
}

/** Empty if the row sets nothing. */
function bodyOf({ form, row }: ListRow, { fields, canSet, typeOf, fail }: Reading): JsonObject {
  const isOfPersons = fields.has('properties')
  const values = new Map<string, Json>()
  const set = (name: string, value: Json): void => {
    if (isOfPersons && name === 'properties' && isObject(value)) {
      for (const [key, member] of Object.entries(value)) set(propertyPath(key), member)
    } else if (values.has(name)) fail(`gives ${name} twice`)
    else if (canSet(name)) values.set(name, value)
  }
  for (const [name, value] of Object.entries(isObject(row) ? row : {})) {
    if (form === 'json') set(name, value)
    else if (value !== '' && canSet(name)) {
      const typed = parseCell(String(value), typeOf(name), fields.get(name))
      if ('problem' in typed) fail(`: ${name} ${typed.problem}`)
      else set(name, typed.value)
    }
  }
  if (isOfPersons) {
    if (values.has('properties')) fail(': properties is not an object')
    const properties = [...values].map(([name, value]) => [nameOfProperty(name), value] as const)
    return properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }
  }
  for (const [name, value] of values) {
    const kind = fields.get(name)
    const problem = kind && value !== null ? fieldProblem(name, kind, value) : undefined
    if (problem !== undefined) fail(`: ${name} ${problem}`)
  }
  return Object.fromEntries(values)
}

type ParsedCell = { readonly value: Json } | { readonly problem: string }

/** Cells are text unless a type is given or documented. */
function parseCell(cell: string, type: CellType | undefined, documented: Kind<unknown> | undefined): ParsedCell {
  const kind = type === 'boolean' ? boolean : type === 'json' ? json : type === undefined ? documented : undefined
  if (type === 'number' && !isJsonNumber(cell)) return { problem: 'is not a number, such as 1234.5' }
  if (type === 'number' || kind === json || (kind?.item && /^\s*[[{]/.test(cell))) {
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
 * `--types` gives them, and must where all cells are numbers or all are booleans. Throws `UsageError` for the type of a column that
 * is not there or cannot be set: with a mistyped name its cells would be sent as text.
 */
function columnTypes(
  given: readonly string[],
  rows: readonly ListRow[],
  canSet: (column: string) => boolean,
  where: string,
): (column: string) => CellType | undefined {
  const sheet = rows.flatMap(({ form, row }) => (form === 'csv' && isObject(row) ? [row] : []))
  const columns = Object.keys(sheet[0] ?? {}).filter(canSet)
  const typed = new Map(given.flatMap(list => list.split(',')).map(parseType))
  const missing = [...typed.keys()].find(key => !columns.some(column => nameOfField(column) === key))
  if (missing !== undefined && rows.length > 0) {
    const isProperty = Object.hasOwn(sheet[0] ?? {}, missing) && canSet(propertyPath(missing))
    const check = isProperty ? `Rename the column to ${propertyPath(missing)}` : 'Check the names of the columns'
    const hint = sheet.length === 0 ? 'Remove --types: values of JSON have types' : check
    throw new UsageError(`--types: ${where} has no column ${missing} that can be set`, { hint })
  }
  const untyped = columns.filter(column => isPropertyPath(column) && !typed.has(nameOfField(column)))
  const unclear = untyped.flatMap(column => {
    const cells = sheet.map(row => String(row[column] ?? '')).filter(cell => cell !== '')
    const looks = [cells.every(isJsonNumber) && 'number', cells.every(isBoolean) && 'boolean'].find(Boolean)
    return looks && cells.length > 0 ? [[nameOfField(column), looks] as const] : []
  })
  const [first] = unclear
  if (first) {
    const optionWith = (type?: string) =>
      `--types ${shellWord([...given, ...unclear.map(([key, looks]) => `${key}=${type ?? looks}`)].join())}`
    throw new UsageError(`${where}: ${first[0]} looks like a ${first[1]} in every row, but would be sent as text`, {
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
  throw new UsageError(`--types: ${JSON.stringify(entry)} is not KEY=TYPE`, {
    hint: `A type is one of ${types.join(', ')}`,
  })
}
