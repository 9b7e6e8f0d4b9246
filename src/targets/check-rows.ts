/** What the rows of `--rows` must be: each names an object that no other names, and sets what can be set. */
import { nameOfProperty } from '../api/property-path.ts'
import { UsageError } from '../errors.ts'
import { ExactNumber, type JsonObject } from '../json/exact.ts'
import { fieldProblem } from '../json/problem.ts'
import { checkId } from '../values/ids.ts'
import { formIn } from './csv.ts'
import { nameReader } from './given-name.ts'
import { personLists } from './named-persons.ts'
import type { RowKey, RowShape } from './typed-cells.ts'

export interface RowValues {
  readonly line: number
  /** The row as it stands in a CSV file; undefined for JSON. */
  readonly source: string | undefined
  readonly values: ReadonlyMap<string, unknown>
}

export interface TargetRow {
  readonly target: string
  readonly line: number
  readonly body: JsonObject
}

/** The lists of persons that have the same names as a key of rows. */
export const listOfKey = { email: 'email', distinct_id: 'distinctId' } as const

/** `check` throws `UsageError`. `by`: what names the objects, known after the first row. */
export function checkRows(shape: RowShape, where: string) {
  const seen = new Map<string, number>()
  const nameOf = {
    email: nameReader(personLists[listOfKey.email], where),
    distinct_id: nameReader(personLists[listOfKey.distinct_id], where),
  }
  let by: RowKey | undefined
  const check = ({ line, values, source }: RowValues): TargetRow => {
    const at = `${where}, line ${line}: `
    const own = shape.keys.find(key => values.has(key)) ?? by ?? shape.keys.at(-1) ?? 'id'
    by ??= own
    if (own !== by)
      throw new UsageError(`${at}some rows have ${by} and some have none`, { hint: 'Give all of them one' })
    const given = textIn(values.get(own))
    if (own === 'id') checkId(shape.collection, given.trim(), {}, at)
    else if (given.trim() === '') throw new UsageError(`${at}there is neither ${shape.keys.join(' nor ')}`)
    const target = nameIn(own, given, line, source)
    // A UUID may be in capitals, but names of two objects may differ only in case.
    const key = own === 'id' ? target.toLowerCase() : target
    const before = seen.get(key)
    if (before !== undefined)
      throw new UsageError(`${at}the same object is on line ${before}`, { hint: 'Keep one of them' })
    seen.set(key, line)
    return {
      target,
      line,
      body: bodyOf(
        [...values].filter(([name]) => name !== own),
        shape,
        at,
      ),
    }
  }
  function nameIn(key: RowKey, raw: string, line: number, source: string | undefined): string {
    if (key === 'id') return raw.trim()
    // Names of definitions are compared exactly, including blanks.
    if (key === 'name') return raw
    // The text of a JSON value is exact, like a quoted cell.
    return nameOf[key]({ raw, line, form: source === undefined ? 'quoted' : formIn(source, raw) })
  }
  return { check, by: () => by ?? 'id' }
}

/** '' unless it is text or a number: a list of one id would read as that id. */
function textIn(value: unknown): string {
  const isText = typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber
  return isText ? String(value) : ''
}

/** Empty if the row sets nothing. */
function bodyOf(entries: readonly (readonly [string, unknown])[], { fields }: RowShape, at: string): JsonObject {
  if (entries.length === 0) return {}
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
