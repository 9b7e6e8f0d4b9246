/** Types of the columns of `--rows`: `--types` gives them, and must where all cells are numbers or all are booleans. */
import { isPropertyPath, nameOfField } from '../api/property-path.ts'
import { UsageError } from '../errors.ts'
import { shellWord } from '../text/shell-words.ts'
import { isJsonNumber } from '../values/json-scalar.ts'
import type { Entry } from './read-list.ts'

const types = ['number', 'boolean', 'json', 'text'] as const

export type CellType = (typeof types)[number]

/** Throws `UsageError` for the type of a missing column: with a mistyped name its cells would be sent as text. */
export function columnTypes(
  given: readonly string[],
  entries: readonly Entry[],
  where: string,
): (column: string) => CellType | undefined {
  const rows = entries.flatMap(entry => (entry.form === 'csv' ? [entry.cells] : []))
  const columns = [...(rows[0]?.keys() ?? [])]
  const typed = new Map(given.flatMap(list => list.split(',')).map(parseType))
  const missing = [...typed.keys()].find(key => !columns.some(column => nameOfField(column) === key))
  if (missing !== undefined && entries.length > 0) {
    const hint = rows.length === 0 ? 'Leave --types out: values of JSON have types' : 'Check the names of the columns'
    throw new UsageError(`--types: ${where} has no column ${missing}`, { hint })
  }
  const open = columns.filter(column => isPropertyPath(column) && !typed.has(nameOfField(column)))
  const looks = open.flatMap(column => {
    const type = typeOfAll(rows.map(cells => cells.get(column) ?? '').filter(cell => cell !== ''))
    return type === undefined ? [] : [[nameOfField(column), type] as const]
  })
  if (looks.length > 0) throw untyped(looks, given, where)
  return column => typed.get(nameOfField(column))
}

function parseType(entry: string): readonly [key: string, type: CellType] {
  const at = entry.lastIndexOf('=')
  const type = types.find(one => one === entry.slice(at + 1))
  if (at > 0 && type) return [nameOfField(entry.slice(0, at)), type]
  throw new UsageError(`--types: ${JSON.stringify(entry)} is not of the form KEY=TYPE`, {
    hint: `A type is one of ${types.join(', ')}`,
  })
}

function typeOfAll(cells: readonly string[]): 'number' | 'boolean' | undefined {
  if (cells.length === 0) return undefined
  if (cells.every(isJsonNumber)) return 'number'
  return cells.every(isBoolean) ? 'boolean' : undefined
}

/** Spreadsheets write TRUE. */
export function isBoolean(cell: string): boolean {
  return /^(true|false)$/i.test(cell)
}

function untyped(looks: readonly (readonly [string, string])[], given: readonly string[], where: string): UsageError {
  const optionWith = (typeOf: (type: string) => string) =>
    `--types ${shellWord([...given, ...looks.map(([key, type]) => `${key}=${typeOf(type)}`)].join())}`
  const names = looks.map(([key, type]) => `${key} holds only ${type === 'number' ? 'numbers' : 'true and false'}`)
  return new UsageError(`${where}: ${names.slice(0, 3).join(', ')}, and cells are text without a type`, {
    hint: `Give ${optionWith(type => type)} or, for text, ${optionWith(() => 'text')}`,
  })
}
