import type { Kinds } from '../../api/endpoints.ts'
import { inSection, type OptionSpec, option, optionName, repeated, toggle } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isObject, type JsonObject } from '../../json/exact.ts'
import { exactKind } from '../../json/exact-kind.ts'
import { fieldProblem } from '../../json/problem.ts'
import { readJson, readObject } from '../../json/read-given.ts'
import { shellWord } from '../../text/shell-words.ts'
import { assignment } from '../../values/assignment.ts'
import { isJsonScalar } from '../../values/json-scalar.ts'
import { json, type Kind, text, type ValueOf } from '../../values/kinds.ts'

/** `null` removes a field where the service allows it. */
export const freeOptions = {
  set: repeated(assignment, 'KEY=VALUE', 'any field, as text or as its documented type; JSON or @file if free-form'),
  setJson: repeated(assignment, 'KEY=JSON', 'any field, as JSON, @file or null'),
  body: option(text, 'JSON', 'the whole body: JSON, @file or - for stdin'),
}

export const propertiesField = option(text, 'JSON', 'the properties field of the body, as JSON or @file')

export async function readPropertiesField(host: Host, given: string | undefined): Promise<JsonObject | undefined> {
  return given === undefined ? undefined : readObject(host, '--properties', given)
}

type FieldOptions<B extends Kinds> = { readonly [N in keyof B]: OptionSpec<Typed<ValueOf<B[N]>>> }

type Typed<T> = T extends readonly unknown[] ? readonly T[] : T | undefined

export function fieldOptions<B extends Kinds>(fields: B): FieldOptions<B> {
  const options = Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, fieldOption(name, kind)]))
  return inSection('Fields', options) as FieldOptions<B>
}

const placeholders: Readonly<Record<string, string>> = { string: 'TEXT', integer: 'N', 'date-time': 'TIME' }

function fieldOption(field: string, kind: Kind<unknown>): OptionSpec {
  const { name, takes = name } = kind.item ?? kind
  const value = placeholders[name] ?? name
  if (kind.item) {
    const parse = (text: string) => ({ ...kind.parse(text), hint: wholeList(field) })
    const commas = kind.takes
    if (commas) return repeated({ ...kind.item, parse }, 'A,B', `the whole list: ${commas}`)
    return repeated({ ...kind.item, parse }, value, `${takes}, once per item`)
  }
  if (kind === json) return option(text, value, takes)
  if (name === 'boolean') return toggle('true, or false with --no-')
  return option(exactKind(kind), value, takes)
}

function wholeList(field: string): string {
  return `Give the list as JSON, as in --set-json '${field}=["a","b"]'; --set-json '${field}=[]' empties it`
}

/** `plan=pro` among the arguments is `--set plan=pro`: no id has a `=`. */
export function withAssignments<O extends Pick<Free, 'set'>>(words: readonly string[], options: O) {
  const isAssignment = (word: string) => word.includes('=')
  const set = words.filter(isAssignment).map(word => {
    const parsed = assignment.parse(word)
    if ('problem' in parsed) throw new UsageError(parsed.problem, { hint: parsed.hint })
    return parsed.value
  })
  return { ids: words.filter(word => !isAssignment(word)), options: { ...options, set: [...options.set, ...set] } }
}

interface Free {
  readonly set: readonly (readonly [string, string])[]
  readonly setJson: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

type FieldValues = JsonObject & Free

/** Throws `UsageError` for a repeated field, `--body` beside fields, or a wrong type. Undefined without options. */
export async function bodyOf(host: Host, fields: Kinds, options: FieldValues): Promise<JsonObject | undefined> {
  return objectIn(await anyBodyOf(host, fields, options))
}

/** Like `bodyOf`, but a body without documented fields may be any JSON. */
export async function anyBodyOf(
  host: Host,
  fields: Kinds,
  options: FieldValues,
  assigning = '--set',
): Promise<unknown> {
  // Inherited keys such as `constructor` are not fields.
  const kindOf = (key: string) => (Object.hasOwn(fields, key) ? fields[key] : undefined)
  const given = [
    ...(await typedFields(host, fields, options)),
    ...(await Promise.all(
      options.set.map(async ([key, value]): Promise<[string, unknown]> => {
        return [key, await assigned(host, assigning, key, value, kindOf(key))]
      }),
    )),
    ...(await Promise.all(options.setJson.map(([key, value]) => jsonField(host, key, value, kindOf(key))))),
  ]
  refuseFieldsBesideBody(options, given.length > 0)
  if (options.body !== undefined) {
    const body = await readJson(host, '--body', options.body, true)
    return Object.keys(fields).length > 0 ? objectIn(body) : body
  }
  const names = given.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`, { hint: 'Give it once' })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

export function refuseFieldsBesideBody({ body }: Pick<Free, 'body'>, isGiven: boolean): void {
  if (body === undefined || !isGiven) return
  throw new UsageError('--body is the whole body, and cannot be combined with fields', {
    hint: 'Leave one of them out',
  })
}

function objectIn(body: unknown): JsonObject | undefined {
  if (body === undefined || isObject(body)) return body
  throw new UsageError('--body must be a JSON object with fields in it')
}

async function typedFields(host: Host, fields: Kinds, options: JsonObject) {
  const given: [string, unknown][] = []
  for (const [name, kind] of Object.entries(fields)) {
    const value = options[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    const whole = Array.isArray(value) ? value.flat() : value
    given.push([name, kind === json ? await readJson(host, optionName(name), value as string) : whole])
  }
  return given
}

async function assigned(
  host: Host,
  assigning: string,
  key: string,
  value: string,
  kind: Kind<unknown> | undefined,
): Promise<unknown> {
  if (!kind && assigning === '--set') refuseGuess(value, json => `--set-json ${shellWord(`${key}=${json}`)}`)
  if (!kind) return value
  const option = `${assigning} ${key}`
  if (kind === json) return readJson(host, option, value)
  const parsed = exactKind(kind).parse(value)
  if ('value' in parsed) return parsed.value
  const listHint = assigning === '--field' ? 'Give the whole body with --body' : wholeList(key)
  const hint = kind.item ? listHint : parsed.hint
  throw new UsageError(`${option}: ${parsed.problem}`, { hint })
}

/** Throws `UsageError` for a text that may be meant as a number, true, false or null. `option` begins both lines to paste. */
export function refuseGuess(value: string, optionFor: (json: string) => string): void {
  if (!isJsonScalar(value)) return
  throw new UsageError(`${value} may be a text or not`, {
    hint: `Give ${optionFor(value)}, or for the text ${optionFor(JSON.stringify(value))}`,
  })
}

async function jsonField(
  host: Host,
  key: string,
  text: string,
  kind: Kind<unknown> | undefined,
): Promise<[string, unknown]> {
  const value = await readJson(host, `--set-json ${key}`, text)
  const problem = value === null || !kind ? undefined : fieldProblem(key, kind, value)
  if (problem) throw new UsageError(`--set-json ${key} ${problem}`)
  return [key, value]
}

/** Throws `UsageError` for values beside `--rows`, and for neither. */
export function refuseUnclearValues(
  rows: string | undefined,
  isGiven: boolean,
  missing: { readonly message: string; readonly hint: string },
): void {
  if (rows === undefined && !isGiven) throw new UsageError(missing.message, { hint: missing.hint })
  if (rows === undefined || !isGiven) return
  throw new UsageError('--rows has the values of each target, and cannot be combined with others', {
    hint: 'Leave --rows or the fields out',
  })
}

export const noFields = (command: string) => ({
  message: 'No fields given',
  hint: `See analytics ${command} --help`,
})
