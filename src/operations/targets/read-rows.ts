/** Targets with their own values: NDJSON or CSV rows with an id or name and the fields to set. */
import type { Kinds } from '../../api/endpoints.ts'
import { UsageError } from '../../errors.ts'
import { linesOf } from '../../files/lines.ts'
import { isNumber } from '../../filters/number.ts'
import type { Host } from '../../host.ts'
import { decode } from '../../json/exact.ts'
import { Malformed } from '../../json/item.ts'
import { problemOf } from '../../json/problem.ts'
import { type Collection, checkId } from '../../values/ids.ts'
import { boolean, json, type Kind } from '../../values/kinds.ts'
import { columnIn, readRecords } from './csv-column.ts'
import { bytesOf } from './read-list.ts'

/** What rows may set: documented fields, or properties of persons. */
export interface RowShape {
  readonly collection: Collection
  readonly fields: Kinds | 'properties'
  /** Whether `name` finds the object of a row without an id. */
  readonly byName: boolean
}

export interface TargetRow {
  /** An id, or the name where the row has no id. */
  readonly target: string
  readonly line: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface TargetRows {
  readonly by: 'id' | 'name'
  readonly rows: readonly TargetRow[]
}

const types = ['number', 'boolean', 'json', 'text'] as const
type TypeName = (typeof types)[number]

/** Parses `orders=number,vip=boolean`. */
export function parseTypes(text = ''): ReadonlyMap<string, TypeName> {
  const typed = text === '' ? [] : text.split(',')
  return new Map(
    typed.map(one => {
      const at = one.lastIndexOf('=')
      const type = types.find(name => name === one.slice(at + 1))
      if (at > 0 && type) return [one.slice(0, at), type] as const
      throw new UsageError(`--types: ${JSON.stringify(one)} is not of the form KEY=TYPE`, {
        hint: `A type is one of ${types.join(', ')}`,
      })
    }),
  )
}

/** Throws `UsageError`, with the line, for a value that cannot be set and an object that comes twice. */
export async function readRows(host: Host, file: string, shape: RowShape, typed?: string): Promise<TargetRows> {
  const where = `--rows ${file === '-' ? 'stdin' : file}`
  const chosen = parseTypes(typed)
  const rows: TargetRow[] = []
  const seen = new Map<string, number>()
  let by: TargetRows['by'] | undefined
  for await (const { line, values } of valuesIn(linesOf(bytesOf(host, file, where), where), shape, chosen, where)) {
    const at = `${where}, line ${line}: `
    const own = values.has('id') || !shape.byName ? 'id' : 'name'
    by ??= own
    if (own !== by)
      throw new UsageError(`${at}some rows have an id and some have none`, { hint: 'Give all of them one' })
    const target = String(values.get(own) ?? '').trim()
    values.delete(own)
    if (own === 'id') checkId(shape.collection, target, {}, at)
    else if (target === '') throw new UsageError(`${at}there is neither an id nor a name`)
    const before = seen.get(target.toLowerCase())
    if (before !== undefined)
      throw new UsageError(`${at}the same object stands on line ${before}`, { hint: 'Leave one of them' })
    seen.set(target.toLowerCase(), line)
    if (values.size === 0) continue
    rows.push({ target, line, body: bodyOf(values, shape, at) })
  }
  return { by: by ?? 'id', rows }
}

interface RowValues {
  readonly line: number
  readonly values: Map<string, unknown>
}

async function* valuesIn(
  lines: AsyncGenerator<string>,
  shape: RowShape,
  chosen: ReadonlyMap<string, TypeName>,
  where: string,
): AsyncGenerator<RowValues> {
  let line = 0
  for (;;) {
    const { done, value: first } = await lines.next()
    if (done) return
    line++
    if (first.trim() === '' || /^sep=.$/i.test(first)) continue
    if (first.trimStart().startsWith('{')) yield* fromNdjson(prepend(first, lines), line, where)
    else yield* fromCsv(first, lines, line, shape, chosen, where)
    return
  }
}

async function* fromNdjson(lines: AsyncIterable<string>, from: number, where: string): AsyncGenerator<RowValues> {
  let line = from - 1
  for await (const text of lines) {
    line++
    if (text.trim() === '') continue
    const row = readJsonLine(text, `${where}, line ${line}: `)
    const values = new Map(Object.entries(row))
    const properties = values.get('properties')
    if (typeof properties === 'object' && properties !== null && !Array.isArray(properties)) {
      values.delete('properties')
      for (const [key, value] of Object.entries(properties)) values.set(`properties.${key}`, value)
    }
    yield { line, values }
  }
}

function readJsonLine(text: string, at: string): object {
  try {
    const value = decode(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch (cause) {
    if (!(cause instanceof Malformed)) throw cause
  }
  throw new UsageError(`${at}this is not a JSON object`, { hint: 'Give one object per line' })
}

async function* fromCsv(
  header: string,
  lines: AsyncIterable<string>,
  from: number,
  shape: RowShape,
  chosen: ReadonlyMap<string, TypeName>,
  where: string,
): AsyncGenerator<RowValues> {
  const column = columnIn(header, 'id') ?? (shape.byName ? columnIn(header, 'name') : undefined)
  if (!column) {
    const wanted = shape.byName ? 'id or name' : 'id'
    throw new UsageError(`${where} has no column ${wanted}`, { hint: `Give that column the heading ${wanted}` })
  }
  const named = (headings: readonly string[]) => {
    const names = headings.map(heading =>
      /^(id|name)$/i.test(heading.trim()) ? heading.trim().toLowerCase() : heading.trim(),
    )
    const twice = names.find((name, i) => names.indexOf(name) !== i)
    if (twice !== undefined) throw new UsageError(`${where} has two columns ${twice}`, { hint: 'Leave one of them' })
    return names
  }
  for await (const { record, line } of readRecords(prepend(header, lines), column.delimiter, named, from, where)) {
    const values = new Map<string, unknown>()
    for (const [name, cell] of Object.entries(record)) {
      if (cell === '') continue
      values.set(name, name === 'id' ? cell : typedCell(name, cell, shape, chosen, `${where}, line ${line}: `))
    }
    yield { line, values }
  }
}

function typedCell(
  name: string,
  cell: string,
  shape: RowShape,
  chosen: ReadonlyMap<string, TypeName>,
  at: string,
): unknown {
  const type = chosen.get(name.replace(/^properties\./, ''))
  if (type === 'text') return cell
  if (type === 'number' && !isNumber(cell)) throw new UsageError(`${at}${name} is not a number`)
  const kind: Kind<unknown> | undefined =
    type === 'boolean' ? boolean : type ? json : shape.fields === 'properties' ? undefined : shape.fields[name]
  if (!kind) return cell
  if (kind !== json && !kind.item) {
    const parsed = kind.parse(cell)
    if ('problem' in parsed) throw new UsageError(`${at}${name}: ${parsed.problem}`)
    return parsed.value
  }
  try {
    return decode(cell)
  } catch (cause) {
    throw new UsageError(`${at}${name} is not JSON`, { hint: 'Lists and objects are written as JSON', cause })
  }
}

/** Throws `UsageError` for a field that cannot be set. */
function bodyOf(values: ReadonlyMap<string, unknown>, { fields }: RowShape, at: string): TargetRow['body'] {
  const entries = [...values]
  if (fields === 'properties') {
    const wrong = entries.find(([name]) => !/^properties\../s.test(name))
    if (wrong) {
      throw new UsageError(`${at}${wrong[0]} cannot be set`, { hint: 'A property is a column properties.KEY' })
    }
    return { properties: Object.fromEntries(entries.map(([name, value]) => [name.slice('properties.'.length), value])) }
  }
  for (const [name, value] of entries) {
    const kind = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!kind)
      throw new UsageError(`${at}${name} cannot be set`, {
        hint: `Leave it out; ${Object.keys(fields).join(', ')} can be set`,
      })
    const problem = value === null ? undefined : problemOf(kind, value)
    if (problem) throw new UsageError(`${at}${name} ${problem}`)
  }
  return Object.fromEntries(entries)
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
