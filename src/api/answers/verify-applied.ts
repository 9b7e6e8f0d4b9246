/** Servers answer 200 although they ignore some fields and rewrite some values (`docs/servers.md`). */
import { ExactNumber, isObject, type JsonObject } from '../../json/exact.ts'
import { instantOf } from '../../values/instant.ts'
import { boolean, dateTime, integer, json } from '../../values/kinds.ts'
import { eventDefinition, type Fields, person, plugin, project } from '../resources.ts'

interface Unapplied {
  readonly field: string
  readonly wanted: unknown
  readonly got: unknown
}

export function findUnapplied(wanted: JsonObject, answer: JsonObject, isSame: typeof sameField = isKept): Unapplied[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    const got = memberOf(answer, field)
    return isSame(field, value, got) ? [] : [{ field, wanted: value, got }]
  })
}

/** The service may add members to an object that was sent, but not to an empty one, which takes all away. */
export function isApplied(field: string, wanted: unknown, got: unknown): boolean {
  if (sameField(field, wanted, got)) return true
  const takesAllAway = isObject(wanted) && Object.keys(wanted).length === 0 && !merged.has(field)
  return !takesAllAway && isWithin(wanted, got)
}

/** True if a member that the write removed is still there with its old value. */
function keepsRemoved(
  field: string,
  { from, wanted, got }: { readonly from: unknown; readonly wanted: unknown; readonly got: unknown },
): boolean {
  const asked = new Set(canonicalParts(field, wanted))
  const found = new Set(canonicalParts(field, got))
  return isObject(wanted) && canonicalParts(field, from).some(part => !asked.has(part) && found.has(part))
}

export function sameField(field: string, a: unknown, b: unknown): boolean {
  return canonicalField(field, a) === canonicalField(field, b)
}

/** Servers merge what they get into the old value. */
const merged: ReadonlySet<string> = new Set(['session_replay_config'])

/** True if a record holds what is wanted. A server may add members with null to an object, and keep `[]` as null. */
export function sameSetting(field: string, wanted: unknown, got: unknown): boolean {
  if (isEmptyAsNull(wanted, got)) return true
  const isSame = merged.has(field) ? isWithin(wanted, got) : sameField(field, wanted, got)
  return isSame && holdsNulls(field, wanted, got)
}

/** Compares an answer with what was sent; `before`: the old value, where it is known. */
export function isKept(field: string, wanted: unknown, got: unknown, before?: unknown): boolean {
  if (isEmptyAsNull(wanted, got)) return true
  if (!isApplied(field, wanted, got) || !holdsNulls(field, wanted, got)) return false
  return merged.has(field) || !keepsRemoved(field, { from: before, wanted, got })
}

function isEmptyAsNull(wanted: unknown, got: unknown): boolean {
  return Array.isArray(wanted) && wanted.length === 0 && isNull(got)
}

/** True if the null members of a free-form value are there: who writes them means data. */
function holdsNulls(field: string, wanted: unknown, got: unknown): boolean {
  return (Object.hasOwn(fields, field) && !freeForm.has(field)) || holdsNullsOf(wanted, got)
}

function holdsNullsOf(wanted: unknown, got: unknown): boolean {
  if (Array.isArray(wanted) && Array.isArray(got)) return wanted.every((one, i) => holdsNullsOf(one, got[i]))
  if (!isObject(wanted) || !isObject(got)) return true
  return Object.entries(wanted).every(([name, value]) =>
    isNull(value) ? Object.hasOwn(got, name) : holdsNullsOf(value, memberOf(got, name)),
  )
}

/** Equal values get the same text: numbers by value, members sorted, null as absent. */
export function canonicalField(field: string, value: unknown): string {
  const form = Object.hasOwn(forms, field) ? forms[field] : undefined
  return form?.(value) ?? canonical(value, !freeForm.has(field))
}

/** One text per member of an object, since the service may add members; none for null. */
export function canonicalParts(field: string, value: unknown): string[] {
  return isObject(value)
    ? partsOf(value, !freeForm.has(field), '')
    : isNull(value)
      ? []
      : [canonicalField(field, value)]
}

function partsOf(object: JsonObject, trims: boolean, path: string): string[] {
  const members = Object.entries(object).flatMap(([name, value]) => {
    const place = `${path}${JSON.stringify(name)}:`
    if (isNull(value)) return []
    return isObject(value) ? partsOf(value, trims, place) : [`${place}${canonical(value, trims)}`]
  })
  return [`${path}{}`, ...members]
}

type Form = (value: unknown) => string | undefined

const byKind = new Map<string, Form>([
  [boolean.name, value => (value === 'true' || value === 'false' ? value : undefined)],
  [integer.name, value => (typeof value === 'string' ? canonicalNumber(value.trim()) : undefined)],
  [dateTime.name, canonicalTime],
])

const fields: Fields = { ...person.fields, ...plugin.fields, ...eventDefinition.fields, ...project.fields }

const forms: Readonly<Record<string, Form | undefined>> = {
  ...Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, byKind.get(kind.name)])),
  tags: canonicalTags,
  session_recording_sample_rate: value => (isScalar(value) ? canonicalNumber(String(value).trim()) : undefined),
}

/** White space matters in free-form data. */
const freeForm: ReadonlySet<string> = new Set(Object.keys(fields).filter(name => fields[name]?.kind === json))

function canonicalTags(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const plain = (tag: unknown) => (isScalar(tag) ? String(tag).trim().toLowerCase() : canonical(tag, true))
  return JSON.stringify([...new Set(value.map(plain))].sort())
}

/** Times without a zone are UTC; a date means midnight. */
function canonicalTime(value: unknown): string | undefined {
  if (!isScalar(value)) return undefined
  const instant = instantOf(String(value).trim().toUpperCase())
  return instant === undefined ? undefined : `time ${instant}`
}

/** Works on digits, since doubles cannot tell integers beyond 2^53 apart. */
function canonicalNumber(text: string): string | undefined {
  const [all, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  if (all === undefined || whole + fraction === '') return undefined
  const digits = (whole + fraction).replace(/^0+/, '')
  const shortened = digits.replace(/(?<!0)0+$/, '')
  if (shortened === '') return '0'
  return `${sign}${shortened}e${BigInt(power) - BigInt(fraction.length) + BigInt(digits.length - shortened.length)}`
}

function canonical(value: unknown, trims: boolean): string {
  if (isNull(value)) return 'null'
  if (typeof value === 'string') return JSON.stringify(trims ? value.trim() : value)
  if (isNumber(value)) return canonicalNumber(String(value)) ?? String(value)
  if (Array.isArray(value)) return `[${value.map(one => canonical(one, trims)).join()}]`
  if (!isObject(value)) return String(value)
  const names = Object.keys(value).filter(name => !isNull(value[name]))
  return `{${names.sort().map(name => `${JSON.stringify(name)}:${canonical(value[name], trims)}`)}}`
}

function isWithin(wanted: unknown, got: unknown): boolean {
  if (!isObject(wanted) || !isObject(got)) return canonical(wanted, false) === canonical(got, false)
  return Object.keys(wanted).every(name => isWithin(wanted[name], memberOf(got, name)))
}

/** Excludes objects, because `String` would call their member `toString`. */
function isScalar(value: unknown): value is string | number | ExactNumber {
  return typeof value === 'string' || isNumber(value)
}

function isNull(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}

function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
