/** NDJSON or CSV rows with an id or name, and the fields to set. */
import { fieldProblem } from '../../api/field-problem.ts'
import { nameOfProperty, propertyPath } from '../../api/property-path.ts'
import { UsageError } from '../../errors.ts'
import { type LineBatch, linesOf } from '../../files/lines.ts'
import { inputChunks } from '../../files/read-input.ts'
import type { Host } from '../../host.ts'
import { ExactNumber, isObject, type JsonObject } from '../../json/exact.ts'
import { decodeGiven } from '../../json/given.ts'
import { Malformed } from '../../json/item.ts'
import { checkId } from '../../values/ids.ts'
import { type ColumnTypes, columnTypes } from './column-types.ts'
import { type CsvRecord, columnIn, readRecords } from './csv-column.ts'
import { type BegunLines, findFirstLine } from './first-line.ts'
import { fieldOf, type RowShape, typedCell } from './typed-cells.ts'

interface TargetRow {
  readonly target: string
  readonly line: number
  readonly body: JsonObject
}

interface TargetRows {
  readonly by: 'id' | 'name'
  readonly rows: readonly TargetRow[]
  /** Columns of text in which some cells look like numbers, booleans, lists or objects. */
  readonly mixed: readonly string[]
}

/** Throws `UsageError`, with the line, for a value that cannot be set and for a repeated object. */
export async function readRows(
  host: Host,
  file: string,
  shape: RowShape,
  types: readonly string[] = [],
): Promise<TargetRows> {
  const where = `--rows ${file === '-' ? 'stdin' : file}`
  const rows: TargetRow[] = []
  const mixed: string[] = []
  const seen = new Map<string, number>()
  let by: TargetRows['by'] | undefined
  const take = ({ line, values }: RowValues) => {
    const at = `${where}, line ${line}: `
    const own = values.has('id') || !shape.byName ? 'id' : 'name'
    by ??= own
    if (own !== by)
      throw new UsageError(`${at}some rows have an id and some have none`, { hint: 'Give all of them one' })
    const given = textIn(values.get(own))
    // Names are compared exactly, including blanks.
    const target = own === 'id' ? given.trim() : given
    values.delete(own)
    if (own === 'id') checkId(shape.collection, target, {}, at)
    else if (target.trim() === '') throw new UsageError(`${at}there is neither an id nor a name`)
    // A UUID may be in capitals, but names of two definitions may differ only in case.
    const key = own === 'id' ? target.toLowerCase() : target
    const before = seen.get(key)
    if (before !== undefined)
      throw new UsageError(`${at}the same object is on line ${before}`, { hint: 'Keep one of them' })
    seen.set(key, line)
    if (values.size > 0) rows.push({ target, line, body: rowBody(values, shape, at) })
  }
  const source = { shape, types, where, onMixed: (columns: readonly string[]) => void mixed.push(...columns) }
  for await (const batch of valuesIn(linesOf(inputChunks(host, { file, where }), where), source)) {
    for (const row of batch) take(row)
  }
  return { by: by ?? 'id', rows, mixed }
}

/** '' unless it is text or a number: a list of one id would read as that id. */
function textIn(value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber
  return isText ? String(value) : ''
}

interface RowValues {
  readonly line: number
  readonly values: Map<string, unknown>
}

interface Source {
  readonly shape: RowShape
  readonly types: readonly string[]
  readonly where: string
  readonly onMixed: (columns: readonly string[]) => void
}

async function* valuesIn(lines: AsyncGenerator<LineBatch>, source: Source): AsyncGenerator<Iterable<RowValues>> {
  const { types, where } = source
  const begun = await findFirstLine(lines)
  if (!begun) return
  if (!begun.first.trimStart().startsWith('{')) return yield* fromCsv(begun, source)
  if (types.length > 0) {
    throw new UsageError(`--types: ${where} is NDJSON, whose values have types`, { hint: 'Leave it out' })
  }
  for await (const batch of begun.batches) yield fromNdjson(batch, where)
}

function* fromNdjson({ from, lines }: LineBatch, where: string): Generator<RowValues> {
  let line = from - 1
  for (const text of lines) {
    line++
    if (text.trim() === '') continue
    yield { line, values: valuesOf(text, `${where}, line ${line}: `) }
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

async function* fromCsv(
  { first: header, number, separator, batches }: BegunLines,
  { shape, types, where, onMixed }: Source,
): AsyncGenerator<Iterable<RowValues>> {
  const column = columnIn(header, 'id', separator) ?? (shape.byName ? columnIn(header, 'name', separator) : undefined)
  if (!column) {
    const wanted = shape.byName ? 'id or name' : 'id'
    throw new UsageError(`${where} has no column ${wanted}`, { hint: `Give that column the heading ${wanted}` })
  }
  let columnsTyped: ColumnTypes | undefined
  const named = (headings: readonly string[]) => {
    const names = headings.map(heading => fieldOf(heading, shape))
    const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
    if (twice !== undefined) throw new UsageError(`${where} has two columns ${twice}`, { hint: 'Keep one of them' })
    columnsTyped = columnTypes(types, names, where)
    return names
  }
  const valuesOf = function* (records: Iterable<CsvRecord>): Generator<RowValues> {
    for (const { cells, line } of records) {
      const values = new Map<string, unknown>()
      for (const [name, cell] of cells) {
        if (cell === '') continue
        columnsTyped?.note(name, cell)
        const type = columnsTyped?.typeOf(name)
        values.set(name, name === 'id' ? cell : typedCell(cell, { name, type, shape }, `${where}, line ${line}: `))
      }
      yield { line, values }
    }
  }
  for await (const records of readRecords(batches, column, named, number, where)) yield valuesOf(records)
  onMixed(columnsTyped?.demand() ?? [])
}

function rowBody(values: ReadonlyMap<string, unknown>, { fields }: RowShape, at: string): TargetRow['body'] {
  const entries = [...values]
  if (fields === 'properties') {
    const wrong = entries.find(([name]) => !/^properties\../s.test(name))
    if (wrong) {
      throw new UsageError(`${at}${wrong[0]} cannot be set`, { hint: 'A property is a column properties.KEY' })
    }
    return { properties: Object.fromEntries(entries.map(([name, value]) => [nameOfProperty(name), value])) }
  }
  for (const [name, value] of entries) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!kind)
      throw new UsageError(`${at}${name} cannot be set`, {
        hint: hintOnFields(Object.keys(fields)),
      })
    const problem = value === null ? undefined : fieldProblem(name, kind, value)
    if (problem) throw new UsageError(`${at}${name} ${problem}`)
  }
  return Object.fromEntries(entries)
}

function hintOnFields(names: readonly string[]): string {
  // A list of projects leaves out most of the fields that can be set.
  if (names.length > 15) return 'Leave it out'
  return `Leave it out: a list has only the id and what can be set with --fields id,${names.join()}`
}
