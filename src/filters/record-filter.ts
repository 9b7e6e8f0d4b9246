import { UsageError } from '../errors.ts'
import { isObject, type Json, valueAt } from '../json/exact.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { grouped } from '../text/grouped.ts'
import { isName, searchExcluded, type Unheld } from './excluded.ts'
import type { Filter } from './filter.ts'
import { matcherOf } from './match.ts'

export interface RecordFilter {
  matches(record: Json): boolean
  look(record: Json): void
  isKnown(): boolean
  /** A mistyped `!created_bye` would select everything. `first`: number of records examined, if not all. */
  unknownField(first?: number): UsageError
  /** What negative filters exclude, and no record so far has. */
  unheld(): readonly Unheld[]
}

/** The filters' times must be fixed. */
export function createRecordFilter(filters: readonly Filter[], documented: readonly string[]): RecordFilter {
  const keys = filters.map(({ key }) => key)
  const tests = filters.map(filter => matcherOf(filter) ?? (() => false))
  const paths = new Set(documented)
  const excluded = searchExcluded(filters, documented)
  let unknown = keys.filter(key => !isNamed(key, paths))
  return {
    matches(record) {
      return tests.every((fits, i) => fits(valueAt(record, keys[i] ?? '')))
    },
    look(record) {
      if (unknown.length + excluded.unheld().length === 0 || !isObject(record)) return
      excluded.look(
        key => valueAt(record, key),
        () => pathsIn(record),
      )
      if (unknown.length === 0) return
      const own = new Set(pathsIn(record))
      for (const path of own) paths.add(path)
      unknown = unknown.filter(key => !isNamed(key, own))
    },
    isKnown: () => unknown.length === 0,
    unknownField(first) {
      const [key = ''] = unknown
      const none = first === undefined ? 'No record has' : `None of the first ${grouped(first)} records has`
      return unknownField(none, key, nearestPath(key, [...paths]))
    },
    unheld: excluded.unheld,
  }
}

export function unheldInRecords({ filter, near }: Unheld): UsageError {
  if (isName(filter)) return unknownField('No record has', filter.key, near)
  return new UsageError(`No record has the value that is given for ${filter.key}, so the filter excludes none`, {
    hint: 'Check its quotes and invisible characters',
  })
}

function unknownField(none: string, key: string, near: string | undefined): UsageError {
  return new UsageError(`${none} a field ${key}${near === undefined ? '' : `; did you mean ${near}?`}`, {
    hint: 'Check the name in --where; the fields are those of -o json',
  })
}

/** `a`, `a.b` and `a.b.c` may all be field names. */
function isNamed(key: string, fields: ReadonlySet<string>): boolean {
  const parts = key.split('.')
  return parts.some((_, i) => fields.has(parts.slice(0, i + 1).join('.')))
}
