/** The filters that select persons, and the `properties` query value that some of them become. */

import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'
import { encode } from '../json/exact.ts'
import { type Kind, text } from '../values/kinds.ts'
import { type OptionsOf, once, option, repeated } from './options.ts'
import { readJson } from './value-source.ts'

/** One entry of the `properties` filter. Servers drop an entry without its `type`, and then answer with everyone. */
export interface PropertyFilter {
  readonly key: string
  readonly value: string
  readonly operator: 'exact' | 'is_not' | 'icontains' | 'gt' | 'lt' | 'is_set' | 'is_not_set'
  readonly type: 'person'
}

const operators = { '=': 'exact', '!=': 'is_not', '~': 'icontains', '>': 'gt', '<': 'lt' } as const

/** `plan=pro`, `plan!=pro`, `plan~pr`, `age>30`, `age<30`, `plan` (is set) or `!plan` (is not set). */
const propertyFilter: Kind<PropertyFilter> = {
  name: 'property filter',
  parse(typed) {
    const [, key, sign, value] = /^([^=~<>]*?)(!=|=|~|>|<)(.*)$/s.exec(typed) ?? []
    if (key === undefined) return isSet(typed)
    if (key === '') return { problem: `${JSON.stringify(typed)} names no property` }
    if (key.startsWith('!')) return { problem: `${JSON.stringify(typed)}: ! goes with a key alone, or as !=` }
    if (key.endsWith('!')) return { problem: `there is no !${sign}, only !=` }
    if ((sign === '>' || sign === '<') && value?.startsWith('='))
      return { problem: `there is no ${sign}=, only > and <` }
    return { value: { key, value: value ?? '', operator: operators[sign as keyof typeof operators], type: 'person' } }
  },
  check: () => undefined,
}

function isSet(typed: string): { value: PropertyFilter } | { problem: string } {
  const operator = typed.startsWith('!') ? 'is_not_set' : 'is_set'
  const key = typed.replace(/^!/, '')
  if (key === '') return { problem: `${JSON.stringify(typed)} names no property` }
  return { value: { key, value: operator, operator, type: 'person' } }
}

export const filters = {
  search: once(text, 'TEXT', 'part of an e-mail, or a whole distinct id'),
  email: once(text, 'EMAIL', 'persons with exactly this e-mail'),
  distinctId: once(text, 'ID', 'the person with this distinct id'),
  property: repeated(
    propertyFilter,
    'FILTER',
    'by property: key=value key!=value key~part key>n key<n key (is set) !key (is not set)',
  ),
  properties: option(text, 'JSON', "a properties filter in the service's own form, as JSON or @file"),
}

/** The JSON of `--properties`, its numbers exact. Throws `UsageError` for what is none. */
export async function givenFilter(host: Host, typed: string | undefined): Promise<string | undefined> {
  return typed === undefined ? undefined : encode(await readJson(host, '--properties', typed))
}

/**
 * The documented query parameters of `persons list` for these filters; `properties` is JSON. Throws `UsageError` for two forms at once, and
 * for an empty one, as from a variable that is not set: servers take it for none and answer with everyone.
 */
export function filterQuery(options: Pick<OptionsOf<typeof filters>, keyof typeof filters>) {
  if (options.property.length > 0 && options.properties !== undefined) {
    throw new UsageError('--property and --properties are two forms of one filter', { hint: 'Give one of them' })
  }
  const { search, email, distinctId } = options
  const texts = { '--search': search, '--email': email, '--distinct-id': distinctId }
  const empty = Object.entries(texts).find(([, value]) => value?.trim() === '')
  if (empty) throw new UsageError(`${empty[0]} is empty: that would select everyone`, { hint: 'Give it a value' })
  return {
    search,
    email,
    distinct_id: distinctId,
    properties: options.property.length > 0 ? JSON.stringify(options.property) : options.properties,
  }
}
