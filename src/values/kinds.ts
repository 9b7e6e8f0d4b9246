import { nearest } from '../text/nearest.ts'
import { instantOf } from './instant.ts'

export type Parsed<T> = { readonly value: T } | { readonly problem: string; readonly hint?: string }

export interface Kind<T> {
  readonly name: string
  readonly choices?: readonly string[]
  readonly takes?: string
  parse(text: string): Parsed<T>
  check(value: unknown): string | undefined
  readonly item?: Kind<unknown>
}

export type ValueOf<K> = K extends Kind<infer T> ? T : never

function kind<T>(
  name: string,
  takes: string,
  parse: (text: string) => Parsed<T>,
  check: (value: unknown) => boolean,
): Kind<T> {
  return {
    name,
    takes,
    parse,
    check: value => (check(value) ? undefined : `must be ${article(name)}, not ${describe(value)}`),
  }
}

export const text: Kind<string> = kind(
  'string',
  'text',
  value => ({ value }),
  value => typeof value === 'string',
)

/** Text that is a number, whose digits stay as they are written. */
export const numeric: Kind<string> = { ...text }

function notBlank(what: string): Kind<string> {
  const problem = `${what} is empty; is a variable of your shell not set?`
  return { ...text, parse: value => (value.trim() === '' ? { problem } : { value }) }
}

export const name = notBlank('the name')

/** File to read, or - for stdin if that is allowed. */
export const inputFile = notBlank('the name of the file')

/** File to write; - is not allowed. */
export const newFile: Kind<string> = {
  ...text,
  parse(value) {
    if (value.trim() === '') return inputFile.parse(value)
    return value === '-' ? { problem: '- is not the name of a file; stdout carries the result' } : { value }
  },
}

export const integer: Kind<number> = kind(
  'integer',
  'a whole number',
  value => {
    const number = Number(value)
    if (!/^-?\d+$/.test(value)) return { problem: `${quoteText(value)} is not an integer` }
    return Number.isSafeInteger(number)
      ? { value: number }
      : { problem: `${quoteText(value)} is too ${number > 0 ? 'large' : 'small'}` }
  },
  Number.isInteger,
)

export const boolean: Kind<boolean> = kind(
  'boolean',
  'true or false',
  value =>
    value === 'true' || value === 'false'
      ? { value: value === 'true' }
      : { problem: `${quoteText(value)} is neither true nor false` },
  value => typeof value === 'boolean',
)

/** Not checked: only the service knows the form (`docs/servers.md`: a person's id may be a UUID). */
export const uuid: Kind<string> = { ...text, name: 'UUID' }

export const day: Kind<string> = kind(
  'date',
  'a day such as 2026-05-15',
  value => (isCalendarDay(value) ? { value } : { problem: `${quoteText(value)} is not a day such as 2026-05-15` }),
  isCalendarDay,
)

/** The day a month later also needs a year of four digits, and a year such as 0026 is a typing error. */
function isCalendarDay(value: unknown): boolean {
  if (typeof value !== 'string' || value.includes(':')) return false
  const instant = instantOf(value)
  return instant !== undefined && instant >= 0 && instant < Date.UTC(9999, 0)
}

export const dateTime: Kind<string> = kind(
  'date-time',
  'a time such as 2026-01-31T12:00:00Z',
  value =>
    isDateTime(value)
      ? { value }
      : { problem: `${quoteText(value)} is not an ISO 8601 date-time such as 2026-01-31T12:00:00Z` },
  isDateTime,
)

export const json: Kind<unknown> = kind(
  'JSON',
  'JSON or @file',
  value => {
    try {
      return { value: JSON.parse(value) as unknown }
    } catch {
      return { problem: `${quoteText(value)} is not JSON` }
    }
  },
  () => true,
)

export function oneOf<const C extends readonly string[]>(...choices: C): Kind<C[number]> {
  return {
    ...choice(choices.join(', '), () => choices),
    choices,
    takes: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
  } as Kind<C[number]>
}

/** For long lists: messages show `name`, help shows `takes`. */
export function choice(
  name: string,
  choices: () => readonly string[],
  takes = name,
  nearestOf = (typed: string) => nearest(typed, choices()),
): Kind<string> {
  const problem = (value: string) => {
    const near = nearestOf(value)
    return `${quoteText(value)} is not one of ${name}${near ? `; did you mean ${near}?` : ''}`
  }
  return {
    name: 'string',
    takes,
    parse: value => (choices().includes(value) ? { value } : { problem: problem(value) }),
    check: value => {
      if (typeof value !== 'string') return `must be a string, not ${describe(value)}`
      return choices().includes(value) ? undefined : problem(value)
    },
  }
}

export function integerIn(meanings: Readonly<Record<number, string>>): Kind<number> {
  const allowed = Object.keys(meanings).map(Number)
  const says = (value: unknown) => `must be ${allowed.join(' or ')}, not ${describe(value)}`
  return {
    name: 'integer',
    choices: allowed.map(String),
    takes: allowed.map(one => `${one} (${meanings[one]})`).join(' or '),
    parse: value => {
      const number = allowed.find(one => String(one) === value)
      return number === undefined
        ? { problem: `${quoteText(value)} is not ${allowed.join(' or ')}` }
        : { value: number }
    },
    check: value => (allowed.includes(value as number) ? undefined : says(value)),
  }
}

export function atLeast(least: number): Kind<number> {
  return between(least, Number.POSITIVE_INFINITY)
}

export function between(least: number, most: number): Kind<number> {
  const problemOf = (value: number) => {
    if (value < least) return `${value} is less than ${least}`
    return value > most ? `${value} is more than ${most}` : undefined
  }
  return {
    ...integer,
    parse(text) {
      const parsed = integer.parse(text)
      const problem = 'value' in parsed ? problemOf(parsed.value) : undefined
      return problem ? { problem } : parsed
    },
    check: value => integer.check(value) ?? problemOf(Number(value)),
  }
}

function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && value.includes(':') && instantOf(value) !== undefined
}

export function quoteText(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)
}

export function article(name: string): string {
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`
}

export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return `the ${typeof value} ${quoteText(String(value))}`
}
