import { type Json, textOf } from '../json/exact.ts'
import { finerThanMilliseconds, instantOf } from '../values/instant.ts'
import { type Filter, positives } from './filter.ts'
import { compareDigits, compareNumbers, isNumber, isSameNumber } from './number.ts'

type Matcher = (value: Json | undefined) => boolean

type Test = (text: string) => boolean

/** Null counts as not set; one matching list item is enough. Undefined for an invalid regular expression. */
export function matcherOf({ operator, values }: Filter): Matcher | undefined {
  const positive = positives[operator]
  if (positive !== undefined) return negate(matcherOf({ key: '', operator: positive, values }))
  if (operator === 'is_set') return isSet
  const tests = values.map(value => testOf(operator, value))
  if (tests.length === 0 || tests.includes(undefined)) return undefined
  return value => textsOf(value).some(text => tests.some(test => test?.(text)))
}

function isSet(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null
}

function negate(matcher: Matcher | undefined): Matcher | undefined {
  return matcher && (value => !matcher(value))
}

function textsOf(value: Json | undefined): string[] {
  if (!isSet(value)) return []
  return Array.isArray(value) ? value.filter(isSet).map(textOf) : [textOf(value)]
}

function testOf(operator: Filter['operator'], wanted: string): Test | undefined {
  switch (operator) {
    case 'exact':
      return text => text === wanted || isSameNumber(text, wanted)
    case 'icontains': {
      const part = wanted.toLowerCase()
      return text => text.toLowerCase().includes(part)
    }
    case 'regex':
      return regexOf(wanted)
    case 'gt':
      return numberTest(wanted, order => order > 0)
    case 'gte':
      return numberTest(wanted, order => order >= 0)
    case 'lt':
      return numberTest(wanted, order => order < 0)
    case 'lte':
      return numberTest(wanted, order => order <= 0)
    case 'is_date_exact':
      return dateTest(wanted, order => order === 0)
    case 'is_date_before':
      return dateTest(wanted, order => order < 0)
    case 'is_date_after':
      return dateTest(wanted, order => order > 0)
    case 'is_date_from':
      return dateTest(wanted, order => order >= 0)
    case 'is_date_until':
      return dateTest(wanted, order => order <= 0)
  }
  return undefined
}

/** Only numbers can be more or less than a number. */
function numberTest(wanted: string, fits: (order: number) => boolean): Test {
  return text => isNumber(text) && isNumber(wanted) && fits(compareNumbers(text, wanted))
}

function dateTest(wanted: string, fits: (order: number) => boolean): Test | undefined {
  const other = instantOf(wanted)
  if (other === undefined) return undefined
  const finer = finerThanMilliseconds(wanted)
  return text => {
    const own = instantOf(text)
    return own !== undefined && fits(own - other || compareDigits(finerThanMilliseconds(text), finer))
  }
}

function regexOf(text: string): Test | undefined {
  try {
    const pattern = new RegExp(text)
    return value => pattern.test(value)
  } catch {
    return undefined
  }
}
