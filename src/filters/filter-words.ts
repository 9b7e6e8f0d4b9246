import type { Filter, Operator } from './filter.ts'

const words: Readonly<Record<Operator, string>> = {
  exact: 'is',
  is_not: 'is not set or is not',
  icontains: 'contains',
  not_icontains: 'is not set or does not contain',
  regex: 'matches',
  not_regex: 'is not set or does not match',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  is_set: 'is set',
  is_not_set: 'is not set',
  is_date_exact: 'is at',
  is_date_before: 'is before',
  is_date_after: 'is after',
  is_date_from: 'is at or after',
  is_date_until: 'is at or before',
}

/** Displays a value, which may be personal or secret, of `field`. */
export type ShowValue = (value: string, field: string) => string

export function filterWords({ key, operator, values }: Filter, shown: ShowValue): string {
  const compared = values.map(value => shown(value, key)).join(' or ')
  return [key, words[operator], compared].filter(Boolean).join(' ')
}
