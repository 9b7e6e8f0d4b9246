/** Request bodies from options: one option for each documented field, `--set` and `--set-json` for any, `--body` whole. */
import type { Kinds } from '../api/endpoints.ts'
import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { assignment } from '../values/assignment.ts'
import { json, type Kind, text, type ValueOf } from '../values/kinds.ts'
import { givenJson } from './given.ts'
import { type OptionSpec, option, optionName, repeated, toggle } from './options.ts'

/** A field given as `null` is taken away where the service allows it. */
export type Body = Readonly<Record<string, unknown>>

export const freeOptions = {
  set: repeated(assignment, 'KEY=VALUE', 'any field, as text or as the type it is documented with'),
  setJson: repeated(assignment, 'KEY=JSON', 'any field, as JSON, @file or null'),
  body: option(text, 'JSON', 'the whole body: JSON, @file or - for stdin'),
}

type FieldOptions<B extends Kinds> = { readonly [N in keyof B]: OptionSpec<ValueOf<B[N]> | undefined> }

/** An option for each field that a body documents: lists once per item, booleans with a `--no-` form. */
export function fieldOptions<B extends Kinds>(fields: B): FieldOptions<B> {
  return Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, fieldOption(kind)])) as FieldOptions<B>
}

function fieldOption(kind: Kind<unknown>): OptionSpec {
  if (kind.name === 'boolean') return toggle('')
  if (kind.item) return repeated(kind.item, kind.item.name.toUpperCase(), 'once per item')
  if (kind === json) return option(text, 'JSON', 'JSON or @file')
  const choices = kind.choices ? kind.choices.join(', ') : ''
  return option(kind, kind.name.toUpperCase(), choices)
}

interface Free {
  readonly set: readonly (readonly [string, string])[]
  readonly setJson: readonly (readonly [string, string])[]
  readonly body: string | undefined
}

/**
 * The body that the options make. Throws `UsageError` for a field given twice, for `--body` beside fields, and for
 * values that are not of their documented kind. Undefined when nothing was given. `assigning`: how `set` is typed.
 */
export async function bodyOf(
  host: Host,
  fields: Kinds,
  options: Readonly<Record<string, unknown>> & Free,
  assigning = '--set',
): Promise<unknown> {
  // A key such as `constructor` names no field, though every object has one.
  const kindOf = (key: string) => (Object.hasOwn(fields, key) ? fields[key] : undefined)
  const given = [
    ...(await typedFields(host, fields, options)),
    ...options.set.map(([key, value]): [string, unknown] => [key, assigned(`${assigning} ${key}`, value, kindOf(key))]),
    ...(await Promise.all(options.setJson.map(([key, value]) => jsonField(host, key, value, kindOf(key))))),
  ]
  if (options.body !== undefined) {
    if (given.length > 0) throw new UsageError('--body is the whole body: no field can stand beside it')
    const body = await givenJson(host, '--body', options.body, true)
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    if (Object.keys(fields).length > 0 && !isObject)
      throw new UsageError('--body must be a JSON object with fields in it')
    return body
  }
  const names = given.map(([name]) => name)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`, { hint: 'Give it once' })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

async function typedFields(host: Host, fields: Kinds, options: Readonly<Record<string, unknown>>) {
  const given: [string, unknown][] = []
  for (const [name, kind] of Object.entries(fields)) {
    const value = options[name]
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue
    given.push([name, kind === json ? await givenJson(host, optionName(name), value as string) : value])
  }
  return given
}

/** Text, unless the field is documented as something else. */
function assigned(option: string, value: string, kind: Kind<unknown> | undefined): unknown {
  if (!kind || kind === json) return value
  const parsed = kind.parse(value)
  if ('problem' in parsed) throw new UsageError(`${option}: ${parsed.problem}`)
  return parsed.value
}

async function jsonField(
  host: Host,
  key: string,
  text: string,
  kind: Kind<unknown> | undefined,
): Promise<[string, unknown]> {
  const value = await givenJson(host, `--set-json ${key}`, text)
  const problem = value === null ? undefined : kind?.check(value)
  if (problem) throw new UsageError(`--set-json ${key} ${problem}`)
  return [key, value]
}
