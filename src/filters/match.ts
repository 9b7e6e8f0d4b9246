import { type Json, textOf } from '../json/exact.ts'
import { finerThanMilliseconds, instantOf } from '../values/instant.ts'
import { compareDigits, compareNumbers, isNumberText, isSameNumber } from '../values/number.ts'
import { type Filter, negations } from './filter.ts'

type Test = (text: string) => boolean

type Matcher = (value: Json | undefined) => boolean

/** Null counts as not set; one matching list item is enough. Undefined for an invalid regular expression, or no value. */
export function matcherOf({ operator, values }: Filter): Matcher | undefined {
  const positive = negations[operator]
  if (positive !== undefined) {
    const fits = matcherOf({ key: '', operator: positive, values })
    return fits && (value => !fits(value))
  }
  if (operator === 'is_set') return isSet
  const tests = values.map(value => testOf(operator, value))
  if (tests.length === 0 || tests.includes(undefined)) return undefined
  return value => textsOf(value).some(text => tests.some(test => test?.(text)))
}

function isSet(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null
}

function textsOf(value: Json | undefined): readonly string[] {
  const items: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value]
  return items.filter(isSet).map(textOf)
}

function testOf(operator: Filter['operator'], wanted: string): Test | undefined {
  if (operator === 'exact') return text => text === wanted || isSameNumber(text, wanted)
  if (operator === 'regex') return regexOf(wanted)
  if (operator === 'icontains') {
    const part = wanted.toLowerCase()
    return text => text.toLowerCase().includes(part)
  }
  const comparison = comparisons[operator]
  if (!comparison) return undefined
  const [orderOf, fits] = comparison
  return text => {
    const order = orderOf(text, wanted)
    return order !== undefined && fits(order)
  }
}

type Comparison = readonly [orderOf: typeof numberOrder, fits: (order: number) => boolean]

const comparisons: Readonly<Partial<Record<Filter['operator'], Comparison>>> = {
  gt: [numberOrder, order => order > 0],
  gte: [numberOrder, order => order >= 0],
  lt: [numberOrder, order => order < 0],
  lte: [numberOrder, order => order <= 0],
  is_date_exact: [dateOrder, order => order === 0],
  is_date_after: [dateOrder, order => order > 0],
  is_date_from: [dateOrder, order => order >= 0],
  is_date_before: [dateOrder, order => order < 0],
  is_date_until: [dateOrder, order => order <= 0],
}

function numberOrder(text: string, wanted: string): number | undefined {
  return isNumberText(text) && isNumberText(wanted) ? compareNumbers(text, wanted) : undefined
}

function dateOrder(text: string, wanted: string): number | undefined {
  const [own, other] = [instantOf(text), instantOf(wanted)]
  if (own === undefined || other === undefined) return undefined
  return own - other || compareDigits(finerThanMilliseconds(text), finerThanMilliseconds(wanted))
}

function regexOf(wanted: string): Test | undefined {
  // Servers accept the flag for "ignore case" at the beginning.
  const [, flag, pattern = wanted] = /^\(\?(i)\)(.*)$/s.exec(wanted) ?? []
  try {
    const regex = new RegExp(pattern, flag)
    return text => regex.test(text)
  } catch {
    return undefined
  }
}
