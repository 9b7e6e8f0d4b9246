/** Types of the columns of `--rows`: `--types` gives them, and must where all cells are numbers or all are booleans. */
import { isPropertyPath, nameOfField } from '../api/property-path.ts'
import { UsageError } from '../errors.ts'
import { isObject } from '../json/exact.ts'
import { shellWord } from '../text/shell-words.ts'
import { isJsonNumber } from '../values/kinds.ts'
import type { Entry } from './read-list.ts'

const types = ['number', 'boolean', 'json', 'text'] as const

export type CellType = (typeof types)[number]

/** Throws `UsageError` for the type of a missing column: with a mistyped name its cells would be sent as text. */
export function columnTypes(
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

/** Spreadsheets write TRUE. */
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
