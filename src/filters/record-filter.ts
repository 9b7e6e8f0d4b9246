import { UsageError } from '../errors.ts'
import type { Item } from '../json/item.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { compile, kindOf } from '../json/pick.ts'
import { grouped } from '../text/grouped.ts'
import { doubtfulValue, type Filter, hasDoubtfulName } from './filter.ts'
import { matcherOf } from './match.ts'

export interface RecordFilter {
  matches(record: Item): boolean
  look(record: Item): void
  isKnown(): boolean
  /** A mistyped `!created_bye` would select everything. `first`: number of records examined, if not all. */
  unknownField(first?: number): UsageError
  /** An error if a negative filter may hold a typing error, and no record so far had its value. */
  unheldValue(): UsageError | undefined
}

/** The filters' times must be fixed. */
export function createRecordFilter(filters: readonly Filter[], documented: readonly string[]): RecordFilter {
  const keys = filters.map(({ key }) => key)
  const { pick } = compile(keys)
  const tests = filters.map(filter => matcherOf(filter) ?? (() => false))
  let unknown = filters.filter(filter => hasDoubtfulName(filter) || !isNamed(filter.key, new Set(documented)))
  let unheld = filters.flatMap(filter => doubtfulValue(filter) ?? [])
  const paths = new Set(documented)
  return {
    matches(record) {
      const values = pick(record)
      return tests.every((fits, i) => fits(values[i]))
    },
    look(record) {
      if (unknown.length + unheld.length === 0 || kindOf(record) !== 'object') return
      const values = pick(record)
      const heldBy = ({ key }: Filter) => values[keys.indexOf(key)]
      unheld = unheld.filter(doubt => !matcherOf(doubt)?.(heldBy(doubt)))
      if (unknown.length === 0) return
      const own = new Set(pathsIn(record))
      for (const path of own) paths.add(path)
      unknown = unknown.filter(filter =>
        hasDoubtfulName(filter) ? heldBy(filter) === undefined : !isNamed(filter.key, own),
      )
    },
    isKnown: () => unknown.length === 0,
    unknownField(first) {
      const key = unknown[0]?.key ?? ''
      const near = nearestPath(key, [...paths])
      const none = first === undefined ? 'No record has' : `None of the first ${grouped(first)} records has`
      return new UsageError(`${none} a field ${key}${near === undefined ? '' : `; did you mean ${near}?`}`, {
        hint: 'Check the name in --where; the fields are those of -o json',
      })
    },
    unheldValue() {
      const [first] = unheld
      if (!first) return undefined
      return new UsageError(`No record has the value that is given for ${first.key}, so the filter excludes none`, {
        hint: 'Check its quotes and invisible characters',
      })
    },
  }
}

/** `a`, `a.b` and `a.b.c` may all be field names. */
function isNamed(key: string, fields: ReadonlySet<string>): boolean {
  const parts = key.split('.')
  return parts.some((_, i) => fields.has(parts.slice(0, i + 1).join('.')))
}
