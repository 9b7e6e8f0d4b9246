import { UsageError } from '../errors.ts'
import type { Item } from '../json/item.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { compile, kindOf } from '../json/pick.ts'
import { doubtIn, type Filter } from './filter.ts'
import { matcherOf } from './match.ts'

export interface RecordFilter {
  matches(record: Item): boolean
  look(record: Item): void
  isKnown(): boolean
  /** A mistyped `!created_bye` would select everything. */
  unknownField(): UsageError
}

/** The times of the filters must be fixed. */
export function createRecordFilter(filters: readonly Filter[], documented: readonly string[]): RecordFilter {
  const keys = filters.map(({ key }) => key)
  const { pick } = compile(keys)
  const tests = filters.map(filter => matcherOf(filter) ?? (() => false))
  let unknown = filters.filter(filter => doubtIn(filter) || !isNamed(filter.key, new Set(documented)))
  const paths = new Set(documented)
  return {
    matches(record) {
      const values = pick(record)
      return tests.every((fits, i) => fits(values[i]))
    },
    look(record) {
      if (unknown.length === 0 || kindOf(record) !== 'object') return
      const own = new Set(pathsIn(record))
      for (const path of own) paths.add(path)
      const values = pick(record)
      unknown = unknown.filter(filter => {
        const { key } = filter
        const value = values[keys.indexOf(key)]
        const doubt = doubtIn(filter)
        if (!doubt) return !isNamed(key, own)
        return doubt.operator === 'is_set' ? value === undefined : !matcherOf(doubt)?.(value)
      })
    },
    isKnown: () => unknown.length === 0,
    unknownField() {
      const [first] = unknown
      const key = first?.key ?? ''
      if (first && doubtIn(first)?.operator === 'exact') {
        return new UsageError(`No record has the value that is given for ${key}, so the filter excludes none`, {
          hint: 'Check the quotes in --where',
        })
      }
      const near = nearestPath(key, [...paths])
      return new UsageError(`No record has a field ${key}${near === undefined ? '' : `; did you mean ${near}?`}`, {
        hint: 'Check the name in --where; the fields are those of -o json',
      })
    },
  }
}

/** Each of `a`, `a.b` and `a.b.c` may be the name of a field. */
function isNamed(key: string, fields: ReadonlySet<string>): boolean {
  const parts = key.split('.')
  return parts.some((_, i) => fields.has(parts.slice(0, i + 1).join('.')))
}
