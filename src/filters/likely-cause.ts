/** Why a filter found nothing, as far as some records tell. */
import { type Json, valueAt } from '../json/exact.ts'
import { nearestPath, pathsIn } from '../json/nearest-path.ts'
import { type Filter, positives } from './filter.ts'
import { matcherOf } from './match.ts'

/** Enough to see which names and values are usual. */
export const sampleSize = 100

/** One sentence without any value, since values may be personal; undefined if the records tell no cause. */
export function likelyCause(filters: readonly Filter[], sample: readonly Json[]): string | undefined {
  const names = new Set(sample.flatMap(pathsIn))
  const causes = filters.map(filter => {
    if (filter.operator in positives) return undefined
    const values = sample.map(row => valueAt(row, filter.key)).filter(value => value !== undefined)
    if (values.length > 0) return partCause(filter, values)
    const near = nearestPath(filter.key, [...names])
    return near && `No record that was read has ${filter.key}; did you mean ${near}?`
  })
  return causes.find(cause => cause !== undefined)
}

function partCause({ key, operator, values: wanted }: Filter, values: readonly Json[]): string | undefined {
  const contains = operator === 'exact' ? matcherOf({ key, operator: 'icontains', values: wanted }) : undefined
  if (!contains || !values.some(contains)) return undefined
  return `${key}= compares whole values, upper and lower case too; ${key}~ would find some`
}
