/** Whether the service did what it was asked: real servers accept fields with 200 and leave them as they were. */
import { ExactNumber } from '../json/exact.ts'

export interface Unapplied {
  readonly field: string
  readonly wanted: unknown
  readonly got: unknown
}

/** The fields of `wanted` that `answer`, the record after a write, does not hold. */
export function findUnapplied(
  wanted: Readonly<Record<string, unknown>>,
  answer: Readonly<Record<string, unknown>>,
): Unapplied[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    const got = Object.hasOwn(answer, field) ? answer[field] : undefined
    return sameField(field, value, got) ? [] : [{ field, wanted: value, got }]
  })
}

/** `same` for the value of a field: some are written by the service in a form of its own. */
export function sameField(field: string, a: unknown, b: unknown): boolean {
  const alike = Object.hasOwn(forms, field) ? forms[field] : undefined
  return same(a, b) || (alike?.(a, b) ?? false)
}

const forms: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  tags: sameTags,
  session_recording_sample_rate: sameDecimal,
  created_at: sameInstant,
  last_seen_at: sameInstant,
}

/**
 * Equal to the service: numbers by value, members in any order, an absent value and null alike. The order of a list
 * matters, and so does whether something is a number or text.
 */
export function same(a: unknown, b: unknown): boolean {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (isNumber(a) && isNumber(b)) return sameNumber(String(a), String(b))
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => same(one, b[i]))
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(key => same(memberOf(a, key), memberOf(b, key)))
  }
  return a === b
}

/** The service keeps tags as a set, lower-cased. */
function sameTags(a: unknown, b: unknown): boolean {
  const set = (tags: unknown) =>
    [...new Set(Array.isArray(tags) ? tags.map(tag => String(tag).trim().toLowerCase()) : [])].sort()
  return same(set(a), set(b))
}

/** "0.5" comes back as "0.50". */
function sameDecimal(a: unknown, b: unknown): boolean {
  return [a, b].every(one => /^-?\d*\.?\d+$/.test(String(one))) && sameNumber(String(a), String(b))
}

/** The same time in another zone or with other digits; without a zone it is UTC. */
function sameInstant(a: unknown, b: unknown): boolean {
  const [one, other] = [instantOf(a), instantOf(b)]
  return one !== undefined && one === other
}

function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return undefined
  const instant = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`)
  return Number.isNaN(instant) ? undefined : instant
}

/** By their digits, so that integers beyond 2^53 are not rounded into agreement. */
function sameNumber(a: string, b: string): boolean {
  const [left, right] = [digits(a), digits(b)]
  if (left !== undefined && right !== undefined) return left === right
  return a === b || (Number.isFinite(Number(a)) && Number(a) === Number(b))
}

/** A plain decimal without the zeros that say nothing; undefined for one with an exponent. */
function digits(number: string): string | undefined {
  const [all, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(number) ?? []
  if (all === undefined) return undefined
  return whole === '' && fraction === '' ? '0' : `${sign}${whole}.${fraction}`
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

function memberOf(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
