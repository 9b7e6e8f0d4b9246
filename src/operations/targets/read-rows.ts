/** NDJSON or CSV rows with what names an object, and the fields to set. */
import { fieldProblem } from '../../api/field-problem.ts'
import { nameOfProperty, propertyPath } from '../../api/property-path.ts'
import { UsageError } from '../../errors.ts'
import type { LineBatch } from '../../files/lines.ts'
import type { Host } from '../../host.ts'
import { ExactNumber, isObject, type JsonObject } from '../../json/exact.ts'
import { decodeGiven } from '../../json/given.ts'
import { Malformed } from '../../json/item.ts'
import { checkId } from '../../values/ids.ts'
import { type ColumnTypes, columnTypes } from './column-types.ts'
import { type CsvRecord, columnIn, formIn, readRecords } from './csv-column.ts'
import { type BegunLines, findFirstLine } from './first-line.ts'
import { nameReader } from './given-name.ts'
import { personLists } from './named-persons.ts'
import { orMistake, type ReadList, readLines, refuseWrongEntries, type WrongEntry } from './read-list.ts'
import { fieldOf, type RowKey, type RowShape, typedCell } from './typed-cells.ts'

export interface TargetRow {
  readonly target: string
  readonly line: number
  readonly body: JsonObject
}

interface TargetRows extends ReadList {
  readonly by: RowKey
  readonly rows: readonly TargetRow[]
  /** Columns of text in which some cells look like numbers, booleans, lists or objects. */
  readonly mixed: readonly string[]
}

/** Throws `ListMistakes` for values that cannot be set and repeated objects, and `UsageError` for an unreadable list. */
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
  let by: RowKey | undefined
  let lastLine = 0
  const read = readLines(host, file, where)
  const nameOf = nameReaders(where)
  const mistakes: WrongEntry[] = []
  const take = ({ line, values, source }: RowValues) => {
    const at = `${where}, line ${line}: `
    const own = shape.keys.find(key => values.has(key)) ?? by ?? shape.keys.at(-1) ?? 'id'
    by ??= own
    lastLine = line
    if (own !== by)
      throw new UsageError(`${at}some rows have ${by} and some have none`, { hint: 'Give all of them one' })
    const given = textIn(values.get(own))
    // Names are compared exactly, including blanks.
    const target = own === 'id' ? given.trim() : given
    values.delete(own)
    if (own === 'id') checkId(shape.collection, target, {}, at)
    else if (target.trim() === '') throw new UsageError(`${at}there is neither ${shape.keys.join(' nor ')}`)
    const raw =
      own === 'email' || own === 'distinct_id' ? nameOf[own]({ raw: given, line, form: formOf(source, given) }) : target
    // A UUID may be in capitals, but names of two objects may differ only in case.
    const key = own === 'id' ? target.toLowerCase() : raw
    const before = seen.get(key)
    if (before !== undefined)
      throw new UsageError(`${at}the same object is on line ${before}`, { hint: 'Keep one of them' })
    seen.set(key, line)
    if (values.size > 0) rows.push({ target: raw, line, body: rowBody(values, shape, at) })
  }
  const source = { shape, types, where, onMixed: (columns: readonly string[]) => void mixed.push(...columns) }
  try {
    for await (const batch of valuesIn(read.lines, source)) {
      for (const row of batch) {
        const raw = textIn(shape.keys.map(key => row.values.get(key)).find(value => value !== undefined))
        const error = orMistake(() => take(row))
        if (error) mistakes.push({ entry: { raw, line: row.line, form: 'quoted' }, error })
      }
    }
  } catch (error) {
    // The mistakes that were found before are reported first.
    if (mistakes.length === 0 || !(error instanceof UsageError)) throw error
  }
  refuseWrongEntries(mistakes)
  const { sha256, mayBeCut } = read
  const list = { isPlain: false, lines: rows.length, sha256: sha256(), mayBeCut: seen.size > 0 && mayBeCut(), lastLine }
  return { ...list, by: by ?? 'id', rows, mixed }
}

/** The lists of persons that have the same names as a key of rows. */
export const listOfKey = { email: 'email', distinct_id: 'distinctId' } as const

function nameReaders(where: string) {
  return {
    email: nameReader(personLists[listOfKey.email], where),
    distinct_id: nameReader(personLists[listOfKey.distinct_id], where),
  }
}

/** The text of a JSON value is exact, like a quoted cell. */
function formOf(source: string | undefined, cell: string) {
  return source === undefined ? 'quoted' : formIn(source, cell)
}

/** '' unless it is text or a number: a list of one id would read as that id. */
function textIn(value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber
  return isText ? String(value) : ''
}

interface RowValues {
  readonly line: number
  /** The row as it stands in a CSV file. */
  readonly source?: string
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
  const [column] = shape.keys.flatMap(key => columnIn(header, key, separator) ?? [])
  if (!column) {
    const wanted = shape.keys.join(' or ')
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
    for (const { cells, line, source } of records) {
      const values = new Map<string, unknown>()
      for (const [name, cell] of cells) {
        if (cell === '') continue
        columnsTyped?.note(name, cell)
        const type = columnsTyped?.typeOf(name)
        const isKey = name !== 'name' && shape.keys.some(key => key === name)
        values.set(name, isKey ? cell : typedCell(cell, { name, type, shape }, `${where}, line ${line}: `))
      }
      yield { line, values, source }
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
