import type { Kinds } from '../../api/endpoints.ts'
import { inSection, type OptionSpec, type OptionsOf, option, optionName, repeated, toggle } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { isObject, type JsonObject } from '../../json/exact.ts'
import { readJson } from '../../json/read-json.ts'
import { shellWord } from '../../text/shell-words.ts'
import { assignment, exactKind, fieldProblem, isJsonNumber, json, type Kind, text } from '../../values/kinds.ts'

export const freeOptions = {
  set: repeated(assignment, 'KEY=VALUE', 'set a field, by its documented type or as text'),
  setJson: repeated(assignment, 'KEY=JSON', 'set a field to JSON, @file or null'),
  body: option(text, 'JSON', 'send this body: JSON, @file or - for stdin'),
}

type FreeOptions = OptionsOf<typeof freeOptions>

export function bodyOptions(fields: Kinds) {
  const options = Object.entries(fields).map(([name, kind]) => [name, fieldOption(name, kind)] as const)
  return { ...inSection('Fields', Object.fromEntries(options)), ...freeOptions }
}

const placeholders: Readonly<Record<string, string>> = { string: 'TEXT', integer: 'N', 'date-time': 'TIME' }

function fieldOption(field: string, kind: Kind<unknown>): OptionSpec {
  const { name, takes = name } = kind.item ?? kind
  const value = placeholders[name] ?? name
  if (kind.item) {
    const item = { ...kind.item, parse: (text: string) => ({ ...kind.parse(text), hint: wholeList(field) }) }
    return kind.takes
      ? repeated(item, 'A,B', `replace the list: ${kind.takes}`)
      : repeated(item, value, 'set the list, one item each time')
  }
  if (kind === json) return option(text, value, `set to ${takes}`)
  return name === 'boolean' ? toggle('switch on or off') : option(exactKind(kind), value, `set to ${takes}`)
}

function wholeList(field: string): string {
  return `Give the list as JSON, as in --set-json '${field}=["a","b"]'; --set-json '${field}=[]' empties it`
}

export const propertiesField = option(text, 'JSON', 'send this properties field too, as JSON or @file')

export async function readPropertiesField(host: Host, typed: string | undefined): Promise<JsonObject | undefined> {
  if (typed === undefined) return undefined
  const properties = await readJson(host, '--properties', typed)
  if (isObject(properties)) return properties
  throw new UsageError('--properties must be a JSON object', { hint: `Write it like --properties '{"plan":"pro"}'` })
}

/** An argument `plan=pro` means `--set plan=pro`: no id has a `=`. */
export function withAssignments<O extends Pick<FreeOptions, 'set'>>(words: readonly string[], options: O) {
  const parsed = words.map(word => ({ word, ...assignment.parse(word) }))
  const set = parsed.flatMap(one => ('value' in one ? [one.value] : []))
  const ids = parsed.flatMap(one => ('value' in one ? [] : [one.word]))
  return { ids, options: { ...options, set: [...options.set, ...set] } }
}

/** Undefined without an option. Throws `UsageError` for a repeated field, a wrong type, and `--body` with fields. */
export async function bodyOf(
  host: Host,
  fields: Kinds,
  options: JsonObject & FreeOptions,
): Promise<JsonObject | undefined> {
  const body = await jsonBodyOf(host, fields, options, '--set')
  if (body === undefined || isObject(body)) return body
  throw new UsageError('--body must be a JSON object with fields in it')
}

/** Empty if the values come from `rows`. Throws `UsageError` unless they come from either fields or rows. */
export function requireValues(body: JsonObject | undefined, rows?: string): JsonObject {
  if (rows === undefined && body) return body
  if (rows !== undefined && !body) return {}
  if (!body) throw new UsageError('No values given', { hint: 'Use --set KEY=VALUE, or an option of --help' })
  throw new UsageError('--rows has the values, and cannot be combined with fields', {
    hint: 'Remove --rows or the fields',
  })
}

/** Like `bodyOf`, but `--body` can be any JSON. `api` has `--field` in place of `--set`. */
export async function jsonBodyOf(
  host: Host,
  fields: Kinds,
  options: JsonObject & FreeOptions,
  setOption: '--set' | '--field',
): Promise<unknown> {
  const { set, setJson, body } = options
  // Inherited keys such as `constructor` are not fields.
  const kindOf = (key: string) => (Object.hasOwn(fields, key) ? fields[key] : undefined)
  const pairs = await Promise.all([
    ...typedFields(host, fields, options),
    ...set.map(async ([key, value]) => [key, await assignedValue(host, setOption, [key, value], kindOf(key))] as const),
    ...setJson.map(async ([key, value]) => [key, await jsonValue(host, [key, value], kindOf(key))] as const),
  ])
  if (body !== undefined && pairs.length > 0) {
    throw new UsageError('--body cannot be combined with options of fields', { hint: 'Remove one of them' })
  }
  if (body !== undefined) return readJson(host, '--body', body, true)
  const names = pairs.map(([name]) => name)
  const duplicate = names.find((name, i) => names.indexOf(name) !== i)
  if (duplicate !== undefined) throw new UsageError(`${duplicate} is given twice`, { hint: 'Give it once' })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

function typedFields(host: Host, fields: Kinds, options: JsonObject): Promise<readonly [string, unknown]>[] {
  return Object.entries(fields).flatMap(([name, kind]) => {
    const value = options[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
    const read = async () => {
      if (kind === json) return readJson(host, optionName(name), String(value))
      return Array.isArray(value) ? value.flat() : value
    }
    return [read().then(typed => [name, typed] as const)]
  })
}

type Pair = readonly [key: string, value: string]

async function assignedValue(
  host: Host,
  setOption: '--set' | '--field',
  [key, value]: Pair,
  kind: Kind<unknown> | undefined,
): Promise<unknown> {
  if (!kind && setOption === '--set') refuseAmbiguous(value, json => `--set-json ${shellWord(`${key}=${json}`)}`)
  if (!kind) return value
  if (kind === json) return readJson(host, `${setOption} ${key}`, value)
  const parsed = exactKind(kind).parse(value)
  if ('value' in parsed) return parsed.value
  const hint = kind.item ? wholeList(key) : parsed.hint
  throw new UsageError(`${setOption} ${key}: ${parsed.problem}`, {
    hint: setOption === '--field' ? 'Use --body for the whole body' : hint,
  })
}

/** Throws `UsageError` for a text that could be meant as a number, true, false or null. */
export function refuseAmbiguous(value: string, optionFor: (json: string) => string): void {
  if (!isJsonNumber(value) && !/^(true|false|null)$/.test(value)) return
  const kind = value === 'null' ? 'null' : /^[tf]/.test(value) ? 'true or false' : 'a number'
  throw new UsageError(`${value} could be ${kind} or text`, {
    hint: `For ${kind} use ${optionFor(value)}; for text use ${optionFor(JSON.stringify(value))}`,
  })
}

async function jsonValue(host: Host, [key, text]: Pair, kind: Kind<unknown> | undefined): Promise<unknown> {
  const value = await readJson(host, `--set-json ${key}`, text)
  const problem = value === null || !kind ? undefined : fieldProblem(key, kind, value)
  if (problem) throw new UsageError(`--set-json ${key} ${problem}`)
  return value
}
