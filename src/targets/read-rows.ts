/** The rows of `--rows`: NDJSON or CSV, with what names an object, and the fields to set. */
import { propertyPath } from '../api/property-path.ts'
import { UsageError } from '../errors.ts'
import type { LineBatch } from '../files/lines.ts'
import type { Host } from '../host.ts'
import { decodeGiven, isObject, type JsonObject } from '../json/exact.ts'
import { Malformed } from '../json/malformed.ts'
import { checkRows, type RowValues, type TargetRow } from './check-rows.ts'
import { columnTypes } from './column-types.ts'
import { type CsvRecord, columnIn, readRecords } from './csv.ts'
import { type BegunLines, findFirstLine, inputName, type ReadList, readAllEntries } from './read-entries.ts'
import { fieldOf, type RowKey, type RowShape, typedCell } from './typed-cells.ts'

interface TargetRows extends ReadList {
  readonly by: RowKey
  readonly rows: readonly TargetRow[]
  /** Columns of text in which some cells look like numbers, booleans, lists or objects. */
  readonly mixed: readonly string[]
}

/** Its values are read later, so that a mistake in them does not end the list. */
interface UnreadRow {
  /** The line of NDJSON, or the cell that names the object. */
  readonly raw: string
  readonly line: number
  readonly read: () => RowValues
}

/** Throws `ListMistakes` for values that cannot be set and repeated objects, and `UsageError` for an unreadable list. */
export async function readRows(
  host: Host,
  file: string,
  shape: RowShape,
  types: readonly string[] = [],
): Promise<TargetRows> {
  const where = inputName('--rows', file)
  const rows: TargetRow[] = []
  const mixed: string[] = []
  const { check, by } = checkRows(shape, where)
  const list = await readAllEntries<UnreadRow, TargetRow>(host, file, {
    where,
    async *open(lines) {
      const begun = await findFirstLine(lines)
      if (!begun) return
      if (!begun.first.trimStart().startsWith('{')) {
        mixed.push(...(yield* fromCsv(begun, shape, types, where)))
        return
      }
      if (types.length > 0) {
        throw new UsageError(`--types: ${where} is NDJSON, whose values have types`, { hint: 'Leave it out' })
      }
      for await (const batch of begun.batches) yield fromNdjson(batch, where)
    },
    entryOf: ({ raw, line }) => ({ raw, line, form: 'quoted' }),
    read: row => check(row.read()),
    keep(row) {
      if (Object.keys(row.body).length > 0) rows.push(row)
    },
  })
  return { ...list, lines: rows.length, by: by(), rows, mixed }
}

function* fromNdjson({ from, lines }: LineBatch, where: string): Generator<UnreadRow> {
  for (const [i, raw] of lines.entries()) {
    const line = from + i
    if (raw.trim() === '') continue
    yield { raw, line, read: () => ({ line, source: undefined, values: valuesOf(raw, `${where}, line ${line}: `) }) }
  }
}

function valuesOf(text: string, at: string): Map<string, unknown> {
  const { properties, ...rest } = readJsonLine(text, at)
  if (!isObject(properties)) return new Map(Object.entries(properties === undefined ? rest : { ...rest, properties }))
  const values = new Map(Object.entries(rest))
  for (const [key, value] of Object.entries(properties)) {
    const path = propertyPath(key)
    if (values.has(path)) throw new UsageError(`${at}${path} is given twice`, { hint: 'Keep one of them' })
    values.set(path, value)
  }
  return values
}

function readJsonLine(text: string, at: string): JsonObject {
  try {
    const value = decodeGiven(text, at)
    if (isObject(value)) return value
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
  }
  throw new UsageError(`${at}this is not a JSON object`, { hint: 'Give one object per line' })
}

/** Returns the columns of texts and others. */
async function* fromCsv(
  { first: header, number, separator, batches }: BegunLines,
  shape: RowShape,
  types: readonly string[],
  where: string,
): AsyncGenerator<Iterable<UnreadRow>, readonly string[]> {
  const [column] = shape.keys.flatMap(key => columnIn(header, key, separator) ?? [])
  if (!column) {
    const wanted = shape.keys.join(' or ')
    throw new UsageError(`${where} has no column ${wanted}`, { hint: `Give that column the heading ${wanted}` })
  }
  let typed = columnTypes([], [], where)
  const named = (headings: readonly string[]) => {
    const names = headings.map(heading => fieldOf(heading, shape))
    const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
    if (twice !== undefined) throw new UsageError(`${where} has two columns ${twice}`, { hint: 'Keep one of them' })
    typed = columnTypes(types, names, where)
    return names
  }
  const read = ({ cells, line, source }: CsvRecord): RowValues => {
    const values = new Map<string, unknown>()
    for (const [name, cell] of cells) {
      if (cell === '') continue
      typed.note(name, cell)
      const type = typed.typeOf(name)
      const isKey = name !== 'name' && shape.keys.some(key => key === name)
      values.set(name, isKey ? cell : typedCell(cell, { name, type, shape }, `${where}, line ${line}: `))
    }
    return { line, values, source }
  }
  const rowsOf = function* (records: Iterable<CsvRecord>): Generator<UnreadRow> {
    for (const record of records) {
      const names = shape.keys.flatMap(key => record.cells.get(key) || [])
      yield { raw: names[0] ?? '', line: record.line, read: () => read(record) }
    }
  }
  for await (const records of readRecords(batches, column, named, number, where)) yield rowsOf(records)
  return typed.demand()
}
