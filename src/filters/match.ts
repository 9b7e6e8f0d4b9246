import { isNothing, type Json, textOf } from '../json/exact.ts'
import { finerThanMilliseconds, instantOf } from '../values/instant.ts'
import { compareDigits, compareNumbers, isNumberText, isSameNumber } from '../values/number.ts'
import { type Filter, negations } from './filter.ts'

type Test = (text: string) => boolean

type Matcher = (value: Json | undefined) => boolean

/** Null counts as not set; one matching list item is enough. Undefined for no value, or an invalid regular expression. */
export function matcherOf({ operator, values }: Filter): Matcher | undefined {
  const positive = negations[operator]
  if (positive !== undefined) {
    const fits = matcherOf({ key: '', operator: positive, values })
    return fits && (value => !fits(value))
  }
  if (operator === 'is_set') return value => !isNothing(value)
  const tests = values.map(value => testsFor[operator]?.(value))
  if (tests.length === 0 || tests.includes(undefined)) return undefined
  return value => textsOf(value).some(text => tests.some(test => test?.(text)))
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
