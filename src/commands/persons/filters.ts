import { optionalArgument } from '../../cli/arguments.ts'
import { conflicting, option, repeated } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { propertyFilter } from '../../filters/filter.ts'
import { readGivenFilters } from '../../filters/given-filters.ts'
import type { PersonFilter } from '../../filters/person-filter.ts'
import type { Host } from '../../host.ts'
import { encode } from '../../json/exact.ts'
import { readJson } from '../../json/read-given.ts'
import { text } from '../../values/kinds.ts'

export const filters = {
  search: option(text, 'TEXT', 'part of an e-mail, or a whole distinct id'),
  email: option(text, 'EMAIL', 'persons with exactly this e-mail'),
  distinctId: option(text, 'ID', 'the person with this distinct id'),
  property: repeated(propertyFilter, 'FILTER', 'by a property, such as plan=pro, orders>5 or !email'),
  properties: conflicting(
    option(text, 'JSON', "a properties filter in the service's own form, as JSON or @file"),
    'property',
  ),
}

export const searchArgument = {
  ...optionalArgument('TEXT', 'the same as --search TEXT'),
  /** Other tools show as many rows: `list -n 5`. */
  check(word: string): void {
    if (!/^\d+$/.test(word)) return
    throw new UsageError(`${word} may be a text or a number of rows`, {
      hint: `Did you mean --limit ${word}? Else give it as --search ${word}`,
    })
  },
}

export function withSearch(option: string | undefined, word: string | undefined): string | undefined {
  if (option === undefined || word === undefined) return option ?? word
  throw new UsageError('--search cannot be combined with another text', {
    hint: 'Give one of them; a value with blanks needs quotes around it',
  })
}

/** Keeps numbers exact. Throws `UsageError` for invalid JSON, and for what servers ignore. */
export async function readProperties(host: Host, typed: string) {
  const given = await readJson(host, '--properties', typed)
  return { text: encode(given), ...readGivenFilters(given) }
}

/** Throws `UsageError` for an empty filter, since servers then return everyone. */
export function checkFilters(filter: Partial<PersonFilter>): void {
  const texts = { '--search': filter.search, '--email': filter.email, '--distinct-id': filter.distinctId }
  const empty = Object.entries(texts).find(([, value]) => value?.trim() === '')
  if (empty) throw new UsageError(`${empty[0]} is empty: that would select everyone`, { hint: 'Give it a value' })
}
