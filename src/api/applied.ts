/** Whether the service did what it was asked: real servers accept fields with 200 and leave them as they were. */
import { ExactNumber } from '../json/exact.ts'

export interface Unapplied {
  readonly field: string
  readonly wanted: unknown
  readonly got: unknown
}

/** The fields of `wanted` that `answer`, the record after a write, does not hold. */
export function unapplied(
  wanted: Readonly<Record<string, unknown>>,
  answer: Readonly<Record<string, unknown>>,
): Unapplied[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    const got = Object.hasOwn(answer, field) ? answer[field] : undefined
    const agree = field === 'tags' ? sameTags(value, got) : same(value, got)
    return agree ? [] : [{ field, wanted: value, got }]
  })
}

/**
 * Equal to the service: numbers by value, as text too ("0.5" comes back as "0.50"), members in any order, an absent
 * value and null alike; the order of a list matters.
 */
export function same(a: unknown, b: unknown): boolean {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (isNumeric(a) && isNumeric(b)) return sameNumber(a, b)
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => same(one, b[i]))
  if (isObject(a) && isObject(b)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(key => same(a[key], b[key]))
  }
  return a === b
}

/** The service keeps tags as a set, lower-cased. */
function sameTags(a: unknown, b: unknown): boolean {
  const set = (tags: unknown) =>
    [...new Set(Array.isArray(tags) ? tags.map(tag => String(tag).toLowerCase()) : [])].sort()
  return same(set(a), set(b))
}

type Numeric = number | string | ExactNumber

function isNumeric(value: unknown): value is Numeric {
  if (typeof value === 'number' || value instanceof ExactNumber) return true
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
}

/** By their digits, so that integers beyond 2^53 are not rounded into agreement. */
function sameNumber(a: Numeric, b: Numeric): boolean {
  const left = digits(a)
  const right = digits(b)
  return left === right || (left === undefined && right === undefined && Number(text(a)) === Number(text(b)))
}

function digits(value: Numeric): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text(value)) ?? []
  if (whole === '' && fraction === '' && !/^-?0/.test(text(value))) return undefined
  const number = `${whole}.${fraction}`
  return number === '.' ? '.' : sign + number
}

function text(value: Numeric): string {
  return value instanceof ExactNumber ? value.source : String(value)
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}
