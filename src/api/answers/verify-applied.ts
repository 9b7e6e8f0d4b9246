/** Servers answer 200 although they ignore some fields and rewrite some values (`docs/servers.md`). */
import { ExactNumber, isObject, type JsonObject } from '../../json/exact.ts'
import { instantOf } from '../../values/instant.ts'
import { boolean, dateTime, integer, json } from '../../values/kinds.ts'
import { eventDefinition, type Fields, person, plugin, project } from '../resources.ts'

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
