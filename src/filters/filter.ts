import { replaceControls } from '../text/escape-controls.ts'
import { instantOf, isTimeBefore, timeBefore } from '../values/instant.ts'
import type { Kind, Parsed } from '../values/kinds.ts'
import { isNumber } from './number.ts'

/** Operators of servers (`docs/servers.md`); the service's document has none. */
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
export type Operator = (typeof operators)[number] | 'is_date_from' | 'is_date_until'

export interface Filter {
  readonly key: string
  readonly operator: Operator
  /** One of them must match; empty for `is_set` and `is_not_set`. */
  readonly values: readonly string[]
}

/** The shortest key, so that a value may contain operators. */
const condition = /^([^=~<>]*?)(!=|!~|>=|<=|=|~|>|<)(.*)$/s

export const pathFilter = filterKind(key =>
  /^\w+\.(\.|$)/.test(key) ? ' has no name after the dot; is a variable of your shell not set?' : undefined,
)

/** No property is called `properties.plan`, so `--property properties.plan!=pro` would select everyone. */
export const propertyFilter = filterKind(key =>
  key.startsWith('properties.') ? ': leave properties. out, as in plan=pro, or use --where' : undefined,
)

function filterKind(wrong: (key: string) => string | undefined): Kind<Filter> {
  const wrongName = (key: string) => (key.trim() === '' ? ' names no field' : wrong(key))
  return { name: 'filter', parse: typed => parse(typed, wrongName), check: () => undefined }
}

type NameCheck = (key: string) => string | undefined

function parse(typed: string, wrongName: NameCheck): Parsed<Filter> {
  const [, key, sign, value] = condition.exec(typed) ?? []
  if (key === undefined || sign === undefined || value === undefined) return parsePresence(typed, wrongName)
  const shown = JSON.stringify(typed)
  const wrong = wrongName(key)
  if (wrong) return { problem: `${shown}${wrong}` }
  if (key.startsWith('!')) return { problem: `${shown}: ! stands before a name alone, or in !=` }
  if (key.endsWith('!')) return { problem: `there is no !${sign}, only != and !~` }
  if (value.startsWith('=') && !sign.endsWith('~')) {
    return { problem: `there is no ${sign}=, only ${sign.endsWith('=') ? sign : '=, != and ~'}` }
  }
  if (isBlank(value)) {
    return { problem: `${shown} has no value after ${sign}; is a variable of your shell not set?` }
  }
  const meant = `${bare(key)}${sign}${bare(value)}`
  if (sign.startsWith('!') && typed !== meant) return slip(typed, meant, wrongName)
  const operator = operatorFor(sign, value)
  if (operator) return { value: { key, operator, values: [value] } }
  return {
    problem: `${shown}: ${sign} compares numbers and dates, such as 30, 2026-01-31 or -90d, and ${JSON.stringify(value)} is neither`,
  }
}

function parsePresence(typed: string, wrongName: NameCheck): Parsed<Filter> {
  const key = typed.replace(/^!/, '')
  const isNegative = typed.startsWith('!')
  const wrong = key.startsWith('!') ? ' has ! twice' : wrongName(key)
  if (wrong) return { problem: `${JSON.stringify(typed)}${wrong}` }
  const meant = `!${bare(key)}`
  if (isNegative && typed !== meant) return slip(typed, meant, wrongName)
  return { value: { key, operator: isNegative ? 'is_not_set' : 'is_set', values: [] } }
}

/** A typing error gives a name or value that no record has, so a negative filter would select every record. */
function slip(typed: string, meant: string, wrongName: NameCheck): Parsed<Filter> {
  // In `'a' or 'b'`, the outer quotes are not a pair, so there is no suggestion.
  const isBroken = [...meant].some(one => one.trim() !== '' && occurrences(one, meant) !== occurrences(one, typed))
  const hint = !isBroken && 'value' in parse(meant, wrongName) ? `; write ${JSON.stringify(meant)}` : ''
  const what = isMarked(typed) && !isMarked(meant) ? 'an invisible character' : 'a blank or a quote'
  return { problem: `${JSON.stringify(typed)} has ${what} too many${hint}` }
}

function occurrences(part: string, text: string): number {
  return text.split(part).length - 1
}

/** A record without the name of a negation meets it. */
export const positives: Readonly<Partial<Record<Operator, Operator>>> = {
  is_not: 'exact',
  not_icontains: 'icontains',
  not_regex: 'regex',
  is_not_set: 'is_set',
}

/** A name such as `plan.` may be a typing error, with which a negative filter would select everyone. */
export function hasDoubtfulName(key: string): boolean {
  return key.split('.').some(part => part === '' || part !== bare(part) || isDoubtful(part))
}

/** Returns filters that at least one record must match; otherwise the name, or a value such as `12'`, may be a typing error. */
export function excludedBy({ key, operator, values }: Filter): readonly Filter[] {
  const positive = positives[operator]
  if (positive === undefined) return []
  const isSet: Filter = { key, operator: 'is_set', values: [] }
  return values.some(isDoubtful) ? [isSet, { key, operator: positive, values }] : [isSet]
}

/** A quote at an end, or an invisible character. */
function isDoubtful(text: string): boolean {
  return /^["'`“”„‘’‚«»]|["'`“”„‘’‚«»]$/u.test(text) || isMarked(text)
}

function isMarked(text: string): boolean {
  return marked(text).includes(mark)
}

const mark = '\0'

/** Of the same length, with a mark for each invisible character, except control characters and those in emoji. */
function marked(text: string): string {
  const plain = text.replace(/\u{1f3f4}[\u{e0020}-\u{e007f}]+/gu, flag => '?'.repeat(flag.length))
  return replaceControls(plain, character => (/\p{Cc}/u.test(character) ? character : mark.repeat(character.length)))
}

/** Holds nothing that is seen. */
export function isBlank(text: string): boolean {
  return visiblePart(text) === ''
}

/** Without blanks and invisible characters at its ends. */
function visiblePart(text: string): string {
  const [before = '', after = ''] = [/^[\s\0]*/, /[\s\0]*$/].map(ends => ends.exec(marked(text))?.[0])
  return text.slice(before.length, Math.max(before.length, text.length - after.length))
}

function bare(text: string): string {
  const inner = visiblePart(text).replace(/^(["'`])(.*)\1$|^[“”„‘’‚«»].*[“”‘’«»]$/su, quoted => quoted.slice(1, -1))
  return inner === text ? text : bare(inner)
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
  if (forDates === undefined || isNumber(value)) return operator
  return instantOf(value) === undefined && !isTimeBefore(value) ? undefined : forDates
}

/** Replaces `-90d` by a time, so that all requests of a run mean the same instant. */
export function fixTimes(filter: Filter, now: number): Filter {
  if (!filter.operator.startsWith('is_date_')) return filter
  return { ...filter, values: filter.values.map(value => fixedTime(value, now)) }
}

function fixedTime(value: string, now: number): string {
  const instant = timeBefore(value, now)
  return instant === undefined ? value : timeText(instant)
}

/** Some servers read no fractions of seconds. */
export function timeText(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+/, '')
}
