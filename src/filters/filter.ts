/** Filters: what users type, and which values match. */
import { isNothing, type Json, textOf } from '../json/exact.ts'
import { isPropertyPath, propertyPath } from '../json/property-path.ts'
import { finerThanMilliseconds, instantOf, timeBefore } from '../values/instant.ts'
import type { Kind, Parsed } from '../values/kinds.ts'
import { compareDigits, compareNumbers, isNumberText, isSameNumber } from '../values/number.ts'

/** Operators that servers accept; the service's document lists none. */
export const operators = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
] as const

/** The last two are only checked here: servers have no operator for a date that may be equal. */
type Operator = (typeof operators)[number] | 'is_date_from' | 'is_date_until'

export interface Filter {
  readonly key: string
  readonly operator: Operator
  /** One of them must match; empty for `is_set` and `is_not_set`. */
  readonly values: readonly string[]
}

const negations: Readonly<Partial<Record<Operator, Operator>>> = {
  is_not: 'exact',
  not_icontains: 'icontains',
  not_regex: 'regex',
  is_not_set: 'is_set',
}

/** Describes a filter that a mistyped key or an unquoted `>` can make match all persons; undefined for other filters. */
export function readBroadFilter({ key, operator, values }: Filter): string | undefined {
  if (operator !== 'is_set' && negations[operator] === undefined) return undefined
  const words = operator === 'not_icontains' ? 'does not contain' : operator.replaceAll('_', ' ')
  return [key, words, ...values.map(value => JSON.stringify(value))].join(' ')
}

export const pathFilter: Kind<Filter> = { name: 'filter', parse: text => parse(text), check: () => undefined }

export const propertyFilter: Kind<Filter> = {
  ...pathFilter,
  parse: text => parse(text, key => (isPropertyPath(key) ? key : propertyPath(key))),
}

/** The shortest key, so that a value may contain operators. */
const condition = /^([^=~<>]*?)(!=|!~|>=|<=|=|~|>|<)(.*)$/s

function parse(typed: string, pathOf = (key: string) => key): Parsed<Filter> {
  const [, key, sign, value] = condition.exec(typed) ?? [undefined, typed.replace(/^!/, ''), '', '']
  const shown = JSON.stringify(typed)
  const unset = 'is a shell variable empty?'
  if (key.trim() === '') return { problem: `${shown} has no field` }
  if (/^properties\.(\.|$)/.test(key)) return { problem: `${shown} has no name after the dot; ${unset}` }
  if (key.startsWith('!') || key.endsWith('!') || (value.startsWith('=') && !sign.endsWith('~'))) {
    return { problem: `${shown}: use = != ~ !~ > >= < <=, or '!name' for a field that is not set` }
  }
  if (sign !== '' && value.trim() === '') return { problem: `${shown} has no value after ${sign}; ${unset}` }
  const ifBare = typed.startsWith('!') ? 'is_not_set' : 'is_set'
  const operator = sign === '' ? ifBare : operatorFor(sign, value)
  if (operator) return { value: { key: pathOf(key), operator, values: sign === '' ? [] : [value] } }
  return {
    problem: `${shown}: ${sign} compares numbers and dates, such as 30, 2026-01-31 or -90d, and ${JSON.stringify(value)} is neither`,
  }
}

const signs: Readonly<Record<string, readonly [operator: Operator, forDates?: Operator]>> = {
  '=': ['exact'],
  '!=': ['is_not'],
  '~': ['icontains'],
  '!~': ['not_icontains'],
  '>': ['gt', 'is_date_after'],
  '<': ['lt', 'is_date_before'],
  '>=': ['gte', 'is_date_from'],
  '<=': ['lte', 'is_date_until'],
}

function operatorFor(sign: string, value: string): Operator | undefined {
  const [operator, forDates] = signs[sign] ?? []
  if (forDates === undefined || isNumberText(value)) return operator
  return instantOf(value) === undefined && timeBefore(value, 0) === undefined ? undefined : forDates
}

type Test = (text: string) => boolean

type Matcher = (value: Json | undefined) => boolean

/**
 * Null counts as not set; one matching list item is enough. `-90d` counts from `now`. Undefined for no value, or an invalid
 * regular expression.
 */
export function matcherOf({ operator, values }: Filter, now = 0): Matcher | undefined {
  const positive = negations[operator]
  if (positive !== undefined) {
    const fits = matcherOf({ key: '', operator: positive, values }, now)
    return fits && (value => !fits(value))
  }
  if (operator === 'is_set') return value => !isNothing(value)
  const isDate = operator.startsWith('is_date_')
  const tests = values.map(value => testsFor[operator]?.(isDate ? timeText(value, now) : value))
  if (tests.length === 0 || tests.includes(undefined)) return undefined
  return value => textsOf(value).some(text => tests.some(test => test?.(text)))
}

function timeText(value: string, now: number): string {
  const instant = timeBefore(value, now)
  return instant === undefined ? value : new Date(instant).toISOString()
}

function textsOf(value: Json | undefined): readonly string[] {
  const items: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value]
  return items.filter(item => !isNothing(item)).map(textOf)
}

const testsFor: Readonly<Partial<Record<Filter['operator'], (wanted: string) => Test | undefined>>> = {
  exact: wanted => text => text === wanted || isSameNumber(text, wanted),
  icontains: wanted => text => text.toLowerCase().includes(wanted.toLowerCase()),
  regex: regexTest,
  gt: orderTest(numberOrder, order => order > 0),
  gte: orderTest(numberOrder, order => order >= 0),
  lt: orderTest(numberOrder, order => order < 0),
  lte: orderTest(numberOrder, order => order <= 0),
  is_date_exact: orderTest(dateOrder, order => order === 0),
  is_date_after: orderTest(dateOrder, order => order > 0),
  is_date_from: orderTest(dateOrder, order => order >= 0),
  is_date_before: orderTest(dateOrder, order => order < 0),
  is_date_until: orderTest(dateOrder, order => order <= 0),
}

function orderTest(orderOf: typeof numberOrder, fits: (order: number) => boolean): (wanted: string) => Test {
  return wanted => text => {
    const order = orderOf(text, wanted)
    return order !== undefined && fits(order)
  }
}

function numberOrder(text: string, wanted: string): number | undefined {
  return isNumberText(text) && isNumberText(wanted) ? compareNumbers(text, wanted) : undefined
}

function dateOrder(text: string, wanted: string): number | undefined {
  const [own, other] = [instantOf(text), instantOf(wanted)]
  if (own === undefined || other === undefined) return undefined
  return own - other || compareDigits(finerThanMilliseconds(text), finerThanMilliseconds(wanted))
}

function regexTest(wanted: string): Test | undefined {
  // Servers accept the flag for "ignore case" at the beginning.
  const [, flag, pattern = wanted] = /^\(\?(i)\)(.*)$/s.exec(wanted) ?? []
  try {
    const regex = new RegExp(pattern, flag)
    return text => regex.test(text)
  } catch {
    return undefined
  }
}
