/** Compares what a write asked for with what the server returned: servers rewrite some values, and add members (`docs/servers.md`). */
import { isDeepStrictEqual } from 'node:util'
import { isNothing, isNumber, isObject, memberOf, textOf } from '../json/exact.ts'
import { instantOf } from './instant.ts'
import { boolean, dateTime, json, type Kind, merged, numeric, property } from './kinds.ts'
import { tagList } from './lists.ts'
import { compareNumbers, isNumberText } from './number.ts'

type FieldKind = Kind<unknown> | undefined

/** Null counts as no value, and so does an empty list, except in free-form values. */
export function isSame(kind: FieldKind, one: unknown, other: unknown): boolean {
  const isNone = (value: unknown) => {
    if (kind === property) return value === undefined
    return isNothing(value) || (trimsText(kind) && Array.isArray(value) && value.length === 0)
  }
  if (isNone(one) || isNone(other)) return isNone(one) && isNone(other)
  return isEqual(one, other, { kind, trims: trimsText(kind) })
}

/**
 * Whether a server that returns `got` applied `wanted`. Servers may add members, but must remove those of `before`, the old
 * value if it is known, that `wanted` does not have. An empty object removes all members.
 */
export function isApplied(kind: FieldKind, wanted: unknown, got: unknown, before?: unknown): boolean {
  if (isSame(kind, wanted, got)) return true
  const isIgnored = before !== undefined && isSame(kind, got, before)
  if (isIgnored || wanted === undefined || got === undefined) return false
  const form = { kind, trims: trimsText(kind) }
  if (kind === merged) return holds(got, wanted, undefined, form)
  const removesAll = isObject(wanted) && Object.keys(wanted).length === 0
  return !removesAll && holds(got, wanted, before, form)
}

/** The part of the old value that a write replaces. Where servers merge objects, the other members stay. */
export function replacedPart(kind: FieldKind, wanted: unknown, old: unknown): unknown {
  return kind === merged ? sharedMembers(wanted, old) : old
}

function sharedMembers(wanted: unknown, old: unknown): unknown {
  if (!isObject(wanted) || !isObject(old)) return old
  const shared = Object.entries(old).filter(([name]) => Object.hasOwn(wanted, name))
  return Object.fromEntries(shared.map(([name, value]) => [name, sharedMembers(wanted[name], value)]))
}

/** Servers store each tag once, trimmed and in lower case. */
export function storedTag(tag: string): string {
  return tag.trim().toLowerCase()
}

interface Form {
  readonly kind: FieldKind
  /** Servers trim the text of a field, but not text inside an object. */
  readonly trims: boolean
}

function trimsText(kind: FieldKind): boolean {
  return kind !== json && kind !== property
}

function isEqual(one: unknown, other: unknown, form: Form): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other)
  if (Array.isArray(one) && Array.isArray(other)) {
    if (form.kind === tagList) return isEqualSet(one, other)
    return one.length === other.length && one.every((item, i) => isEqual(item, other[i], form))
  }
  if (!isObject(one) || !isObject(other)) return isEqualScalar(one, other, form)
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return Array.from(names).every(name => isEqual(memberOf(one, name), memberOf(other, name), { ...form, trims: false }))
}

function holds(got: unknown, wanted: unknown, before: unknown, form: Form): boolean {
  if (Array.isArray(wanted) && Array.isArray(got)) {
    return wanted.length === got.length && wanted.every((item, i) => holds(got[i], item, undefined, form))
  }
  if (!isObject(wanted) || !isObject(got)) return isEqual(wanted, got, form)
  const inside = { ...form, trims: false }
  const old = isObject(before) ? before : {}
  const isRemoved = (name: string) => isNothing(memberOf(got, name)) || !isEqual(got[name], old[name], inside)
  return (
    Object.keys(wanted).every(name => holds(memberOf(got, name), wanted[name], memberOf(old, name), inside)) &&
    Object.keys(old).every(name => Object.hasOwn(wanted, name) || isRemoved(name))
  )
}

function isEqualSet(one: readonly unknown[], other: readonly unknown[]): boolean {
  const tagsOf = (values: readonly unknown[]) => new Set(values.map(value => storedTag(textOf(value))))
  return isDeepStrictEqual(tagsOf(one), tagsOf(other))
}

function isEqualScalar(one: unknown, other: unknown, { kind, trims }: Form): boolean {
  const [a, b] = trims ? [textOf(one).trim(), textOf(other).trim()] : [textOf(one), textOf(other)]
  if (kind === dateTime) return (instantIn(a) ?? a) === (instantIn(b) ?? b)
  const isNumeric = kind === numeric || kind?.name === 'integer'
  const areNumbers = isNumeric || (isNumber(one) && isNumber(other))
  if (areNumbers && isNumberText(a) && isNumberText(b)) return compareNumbers(a, b) === 0
  return a === b && (isNumeric || kind === boolean || typeof one === typeof other)
}

function instantIn(text: string): number | undefined {
  return instantOf(text.toUpperCase())
}
