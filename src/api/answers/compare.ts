/** Compares what was asked for with what a server says: they rewrite some values, and add members (`docs/servers.md`). */
import { compareNumbers, isNumberText } from '../../filters/number.ts'
import { encode, isNumber, isObject, type JsonObject, memberOf } from '../../json/exact.ts'
import { instantOf } from '../../values/instant.ts'
import { boolean, dateTime, integer, json } from '../../values/kinds.ts'
import { eventDefinition, type Fields, person, plugin, project } from '../resources.ts'

interface Unapplied {
  readonly field: string
  readonly wanted: unknown
  readonly got: unknown
}

export function findUnapplied(wanted: JsonObject, answer: JsonObject, fits = isApplied): Unapplied[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    const got = memberOf(answer, field)
    return fits(field, value, got) ? [] : [{ field, wanted: value, got }]
  })
}

/** Servers merge what they get into the old value. */
const merged: ReadonlySet<string> = new Set(['session_replay_config'])

/**
 * `before`: the old value, where it is known. The service may add members, but not keep those that were to go; an empty
 * object takes all away.
 */
export function isApplied(field: string, wanted: unknown, got: unknown, before?: unknown): boolean {
  if (sameField(field, wanted, got)) return true
  if (merged.has(field)) return isWithin(wanted, got, formOf(field))
  const takesAllAway = isObject(wanted) && Object.keys(wanted).length === 0
  return !takesAllAway && isWithin(wanted, got, formOf(field)) && !keepsMember(wanted, got, before, formOf(field))
}

/** Whether a member that was to be taken away is as it was before, as where a service merges objects. */
function keepsMember(wanted: unknown, got: unknown, before: unknown, form: Form): boolean {
  if (!isObject(wanted) || !isObject(got) || !isObject(before)) return false
  return Object.entries(before).some(([name, old]) => {
    const now = memberOf(got, name)
    if (Object.hasOwn(wanted, name)) return keepsMember(wanted[name], now, old, form)
    return !isNothing(now) && isSame(now, old, form)
  })
}

/** Whether nothing is to be sent so that a setting has the value of its file. */
export function sameSetting(field: string, wanted: unknown, got: unknown): boolean {
  return merged.has(field) ? isApplied(field, wanted, got) : sameField(field, wanted, got)
}

/** The part of the old value that changes: what is not sent stays, where a service merges. */
export function replacedBy(field: string, wanted: unknown, old: unknown): unknown {
  return merged.has(field) ? sharedPart(wanted, old) : old
}

function sharedPart(wanted: unknown, old: unknown): unknown {
  if (!isObject(wanted) || !isObject(old)) return old
  const shared = Object.entries(old).filter(([name]) => Object.hasOwn(wanted, name))
  return Object.fromEntries(shared.map(([name, value]) => [name, sharedPart(wanted[name], value)]))
}

/** Null counts as not there, and so does an empty list of a documented field. */
export function sameField(field: string, a: unknown, b: unknown): boolean {
  const form = formOf(field)
  const isNone = (value: unknown) => isNothing(value) || (form.trims && Array.isArray(value) && value.length === 0)
  return isNone(a) || isNone(b) ? isNone(a) && isNone(b) : isSame(a, b, form)
}

interface Form {
  readonly kind: string | undefined
  /** White space matters in free-form values only. */
  readonly trims: boolean
  readonly isSet: boolean
}

const fields: Fields = { ...person.fields, ...plugin.fields, ...eventDefinition.fields, ...project.fields }

function formOf(field: string): Form {
  const kind = memberOf(fields, field)?.kind
  // Documented as text, and servers write it as a number with two digits.
  const isRate = field === 'session_recording_sample_rate'
  return { kind: isRate ? integer.name : kind?.name, trims: kind !== json, isSet: field === 'tags' }
}

/** A field that the document does not know may be free-form: servers trim texts, and not what is in objects. */
function inside(form: Form): Form {
  return { ...form, trims: false }
}

function isSame(a: unknown, b: unknown, form: Form): boolean {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (Array.isArray(a) && Array.isArray(b)) return form.isSet ? isSameSet(a, b) : isSameList(a, b, form, isSame)
  if (!isObject(a) || !isObject(b)) return isSameValue(a, b, form)
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Array.from(names).every(name => isSame(memberOf(a, name), memberOf(b, name), inside(form)))
}

function isWithin(wanted: unknown, got: unknown, form: Form): boolean {
  if (Array.isArray(wanted) && Array.isArray(got)) return isSameList(wanted, got, form, isWithin)
  if (!isObject(wanted) || !isObject(got)) return isSame(wanted, got, form)
  return Object.keys(wanted).every(name => isWithin(wanted[name], memberOf(got, name), inside(form)))
}

function isSameList(a: readonly unknown[], b: readonly unknown[], form: Form, isLike: typeof isSame): boolean {
  return a.length === b.length && a.every((one, i) => isLike(one, b[i], form))
}

/** Servers write tags in lower case, and each once. */
function isSameSet(a: readonly unknown[], b: readonly unknown[]): boolean {
  const [one, other] = [a, b].map(list => new Set(list.map(tag => textIn(tag).trim().toLowerCase())))
  return one !== undefined && other !== undefined && one.size === other.size && [...one].every(tag => other.has(tag))
}

function isSameValue(a: unknown, b: unknown, { kind, trims }: Form): boolean {
  const [one, other] = trims ? [textIn(a).trim(), textIn(b).trim()] : [textIn(a), textIn(b)]
  if (kind === dateTime.name) return (instantIn(one) ?? one) === (instantIn(other) ?? other)
  const areNumbers = [a, b].every(value => isNumber(value) || kind === integer.name)
  if (areNumbers && isNumberText(one) && isNumberText(other)) return compareNumbers(one, other) === 0
  const isTextOfValue = kind === boolean.name || kind === integer.name
  return one === other && (isTextOfValue || typeof a === typeof b)
}

function instantIn(text: string): number | undefined {
  return instantOf(text.toUpperCase())
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : encode(value)
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined
}
