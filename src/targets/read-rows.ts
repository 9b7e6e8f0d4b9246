/** Reads `--rows`: each row names an object and the values to set. */
import { eventDefinitions } from '../api/endpoints.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { decodeInput, isObject, type Json, type JsonObject } from '../json/exact.ts'
import { isPropertyPath, nameOfField, propertyPath } from '../json/property-path.ts'
import { collectionOf, type TargetIds } from '../operations/collections.ts'
import { shellWord } from '../text/shell-words.ts'
import { boolean, exactKind, fieldProblem, isJsonNumber, json, type Kind } from '../values/kinds.ts'
import type { ListRow } from './list-forms.ts'
import { nameIn, readEachName, readList } from './read-list.ts'
import { checkNameText, type NamedLine, parseId, refuseOtherResource } from './read-names.ts'
import type { ListFile, NameKind } from './source.ts'

/** Columns that can name an object. The first one that has a value in any row is used. */
type NameColumns = Readonly<Record<string, 'id' | 'name' | NameKind>>
const ofPersons: NameColumns = { id: 'id', email: 'email', distinct_id: 'distinctId', 'properties.email': 'email' }
const ofDefinitions: NameColumns = { id: 'id', name: 'name' }

export async function readRows(context: Context, kind: TargetIds, file: ListFile, types: readonly string[]) {
  const isOfPersons = collectionOf(kind) === 'persons'
  const fields = new Map(
    Object.entries<Kind<unknown>>(isOfPersons ? { properties: json } : eventDefinitions.update.body),
  )
  const kindOfName = isOfPersons ? ofPersons : ofDefinitions
  const list = await readList(context, { option: '--rows', columns: Object.keys(kindOfName) }, file)
  const { where, unit } = list
  const rows = [...list.rows]
  const nameColumn = list.nameColumns.find(key => rows.some(row => nameIn(row, [key]) !== undefined)) ?? 'id'
  const by = kindOfName[nameColumn] ?? 'id'
  const canSet = (name: string) => name !== nameColumn && (fields.has(name) || (isOfPersons && isPropertyPath(name)))
  const typeOf = columnTypes(types, rows, canSet, where)
  const lines = new Map<string, NamedLine>()
  await readEachName(context, { ...list, rows, nameColumns: [nameColumn] }, nameOfField(nameColumn), (name, row) => {
    if (!isObject(row.row)) throw new UsageError('is not a row')
    refuseOtherResource(kind, row.row)
    if (by !== 'id') checkNameText(name, row)
    const text = by === 'id' ? parseId(name, row, kind) : name
    const key = by === 'id' ? text.toLowerCase() : text
    const same = lines.get(key)
    if (same) throw new UsageError(`names the same object as ${unit} ${same.line}`)
    lines.set(key, { text, line: row.line, body: rowBody(row, { fields, canSet, typeOf }) })
  })
  const columns = [...new Set(rows.flatMap(({ row }) => (isObject(row) ? Object.keys(row) : [])))]
  const hint = isOfPersons ? 'Name the column of a property properties.KEY' : undefined
  if (columns.length > 0 && !columns.some(canSet)) {
    throw new UsageError(`${where} has no column that can be set; it has ${columns.join(', ')}`, { hint })
  }
  const skipped = columns.filter(name => name !== nameColumn && !canSet(name))
  if (skipped.length > 0) {
    context.messages.warn(
      `${where}: skipped columns that cannot be set: ${skipped.join(', ')}${hint ? `. ${hint}.` : ''}`,
    )
  }
  const changing = [...lines.values()].filter(({ body = {} }) => Object.keys(body).length > 0)
  return { ...list, by, lines: changing }
}

interface Reading {
  readonly fields: ReadonlyMap<string, Kind<unknown>>
  readonly canSet: (name: string) => boolean
  readonly typeOf: (column: string) => CellType | undefined
}

function rowBody({ form, row }: ListRow, { fields, canSet, typeOf }: Reading): JsonObject {
  const isOfPersons = fields.has('properties')
  const values = new Map<string, Json>()
  const set = (name: string, value: Json): void => {
    if (!canSet(name)) return
    if (isOfPersons && name === 'properties') {
      if (!isObject(value)) throw new UsageError(': properties is not an object')
      for (const [key, member] of Object.entries(value)) set(propertyPath(key), member)
    } else if (values.has(name)) throw new UsageError(`gives ${name} twice`)
    else values.set(name, value)
  }
  for (const [name, value] of Object.entries(isObject(row) ? row : {})) {
    if (form === 'json') set(name, value)
    else if (value !== '' && canSet(name)) set(name, parseCell(name, String(value), typeOf(name), fields.get(name)))
  }
  if (isOfPersons) {
    const properties = [...values].map(([name, value]) => [nameOfField(name), value] as const)
    return properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }
  }
  for (const [name, value] of values) {
    const kind = fields.get(name)
    const problem = kind && value !== null ? fieldProblem(name, kind, value) : undefined
    if (problem !== undefined) throw new UsageError(`: ${name} ${problem}`)
  }
  return Object.fromEntries(values)
}

/** A cell is text unless `--types` or the document gives it another type. */
function parseCell(name: string, cell: string, type?: CellType, documented?: Kind<unknown>): Json {
  const kind = type === undefined ? documented : cellKinds[type]
  if (type === 'number' && !isJsonNumber(cell)) {
    throw new UsageError(`: ${name} is not a number, such as 1234.5`)
  }
  if (type === 'number' || kind === json || (kind?.item && /^\s*[[{]/.test(cell))) {
    const value = decodeInput(cell, `: ${name}: `)
    if (value === undefined) throw new UsageError(`: ${name} is not JSON`)
    return value
  }
  if (!kind) return cell
  // Spreadsheets write TRUE.
  const parsed = exactKind(kind).parse(kind === boolean ? cell.toLowerCase() : cell)
  if ('problem' in parsed) throw new UsageError(`: ${name} cannot be set: ${parsed.problem}`)
  return parsed.value as Json
}

const cellKinds = { number: undefined, boolean, json, text: undefined } as const

type CellType = keyof typeof cellKinds

function isCellType(text: string): text is CellType {
  return Object.hasOwn(cellKinds, text)
}

/**
 * Reads `--types`. Throws `UsageError` for a column without a type whose cells are all numbers or all booleans, and for the type
 * of a column that does not exist or cannot be set: its name may be mistyped, and the cells would be sent as text.
 */
function columnTypes(
  typesOption: readonly string[],
  rows: readonly ListRow[],
  canSet: (column: string) => boolean,
  where: string,
): (column: string) => CellType | undefined {
  const sheet = rows.flatMap(({ form, row }) => (form === 'csv' && isObject(row) ? [row] : []))
  const columns = Object.keys(sheet[0] ?? {}).filter(canSet)
  const typed = new Map(typesOption.flatMap(list => list.split(',')).map(parseType))
  const missing = [...typed.keys()].find(key => !columns.some(column => nameOfField(column) === key))
  if (missing !== undefined && rows.length > 0) {
    throw new UsageError(`--types: ${where} has no column ${missing} that can be set`, {
      hint: 'Name the column of a property properties.KEY. Values of JSON already have types',
    })
  }
  const untyped = columns.filter(column => isPropertyPath(column) && !typed.has(nameOfField(column)))
  const unclear = untyped.flatMap(column => {
    const cells = sheet.map(row => String(row[column] ?? '')).filter(cell => cell !== '')
    const type = [cells.every(isJsonNumber) && 'number', cells.every(isBoolean) && 'boolean'].find(Boolean)
    return type && cells.length > 0 ? [[nameOfField(column), type] as const] : []
  })
  const [first] = unclear
  if (first) {
    const optionWith = (chosen?: string) =>
      `--types ${shellWord([...typesOption, ...unclear.map(([key, type]) => `${key}=${chosen ?? type}`)].join())}`
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
  const type = entry.slice(at + 1)
  if (at > 0 && isCellType(type)) return [nameOfField(entry.slice(0, at)), type]
  throw new UsageError(`--types: ${JSON.stringify(entry)} is not KEY=TYPE`, {
    hint: `A type is one of ${Object.keys(cellKinds).join(', ')}`,
  })
}
