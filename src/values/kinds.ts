import { decode, decodeValid, ExactNumber, isNumber } from '../json/exact.ts'
import { isSecretName } from '../secrets/secret-names.ts'
import { nearest } from '../text/nearest.ts'
import { instantOf } from './instant.ts'

export type Parsed<T> = { readonly value: T } | { readonly problem: string; readonly hint?: string }

export interface Kind<T> {
  readonly name: string
  readonly choices?: readonly string[]
  readonly takes?: string
  parse(text: string): Parsed<T>
  /** Returns the end of a sentence, such as "must be a list", for an invalid value. */
  check(value: unknown): string | undefined
  readonly item?: Kind<unknown>
}

export type ValueOf<K> = K extends Kind<infer T> ? T : never

interface Reading<T> {
  /** Completes a message such as `"x" is not a whole number`. */
  readonly takes: string
  read(text: string): T | undefined
  /** Unset: every value is valid. Values of options come from `read`. */
  is?(value: unknown): boolean
}

export function defineKind<T>(name: string, { takes, read, is = () => true }: Reading<T>): Kind<T> {
  return {
    name,
    takes,
    parse(text) {
      const value = read(text)
      return value === undefined ? { problem: `${quoteText(text)} is not ${takes}` } : { value }
    },
    check: value => (is(value) ? undefined : `must be ${article(name)}, not ${describe(value)}`),
  }
}

export const text: Kind<string> = defineKind('string', {
  takes: 'text',
  read: text => text,
  is: value => typeof value === 'string',
})

/** Text that is a number, whose digits stay as they are written. */
export const numeric: Kind<string> = { ...text }

/** Not checked: servers differ in the form. */
export const uuid: Kind<string> = { ...text, name: 'UUID' }

const empty = { problem: 'the value is empty; is a shell variable empty?' }

export const filled: Kind<string> = { ...text, parse: value => (value.trim() === '' ? empty : { value }) }

export const inputFile: Kind<string> = { ...filled }

export const newFile: Kind<string> = {
  ...text,
  parse: value =>
    value === '-' ? { problem: '- (stdout) cannot be used, because stdout has the result' } : inputFile.parse(value),
}

export const integer: Kind<number> = defineKind('integer', {
  takes: 'a whole number',
  read: text => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined),
  is: value => Number.isInteger(value) || (value instanceof ExactNumber && /^-?\d+$/.test(value.source)),
})

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

export function atLeast(least: number): Kind<number> {
  return between(least, Number.MAX_SAFE_INTEGER)
}

export const boolean: Kind<boolean> = defineKind('boolean', {
  takes: 'true or false',
  read: text => (text === 'true' || text === 'false' ? text === 'true' : undefined),
  is: value => typeof value === 'boolean',
})

const isDateTime = (value: unknown) =>
  typeof value === 'string' && value.includes(':') && instantOf(value) !== undefined

export const dateTime: Kind<string> = defineKind('date-time', {
  takes: 'a time such as 2026-01-31T12:00:00Z',
  read: text => (isDateTime(text) ? text : undefined),
  is: isDateTime,
})

export const json: Kind<unknown> = defineKind<unknown>('JSON', {
  takes: 'JSON or @file',
  read: text => decodeValid(text),
})

/** The value of one property of a person. Null is a value there. */
export const property: Kind<unknown> = { ...json }

/** An object that servers merge into the old one. */
export const merged: Kind<unknown> = { ...json }

export function oneOf<const C extends readonly string[]>(...choices: C): Kind<C[number]> {
  const problemOf = (value: string) => {
    const near = nearest(value, choices)
    return `${quoteText(value)} is not one of ${choices.join(', ')}${near ? `; did you mean ${near}?` : ''}`
  }
  return {
    name: 'string',
    choices,
    takes: choices.join(' or '),
    parse: value => (choices.includes(value) ? { value } : { problem: problemOf(value) }),
    check: value => (typeof value === 'string' && !choices.includes(value) ? problemOf(value) : text.check(value)),
  }
}

/** Returns the end of a sentence about the field. It never repeats a secret value. */
export function fieldProblem(field: string, kind: Kind<unknown>, value: unknown): string | undefined {
  const problem = kind.check(value)
  return problem !== undefined && isSecretName(field) ? `must be ${article(kind.name)}` : problem
}

/** Keeps the digits of integers that a double cannot hold. */
export function exactKind(kind: Kind<unknown>): Kind<unknown> {
  if (kind !== integer) return kind
  return { ...kind, parse: typed => (/^-?[1-9]\d{15,}$/.test(typed) ? { value: decode(typed) } : kind.parse(typed)) }
}

export function quoteText(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)
}

function article(name: string): string {
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`
}

export function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isNumber(value)) return `the number ${value}`
  if (typeof value === 'object') return 'an object'
  return `the ${typeof value} ${quoteText(String(value))}`
}

/** False for `007` and `+1`. */
export function isJsonNumber(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i.test(text)
}

export const assignment: Kind<readonly [string, string]> = defineKind('assignment', {
  takes: 'of the form key=value',
  read(text) {
    const at = text.indexOf('=')
    return at < 1 ? undefined : [text.slice(0, at), text.slice(at + 1)]
  },
})
