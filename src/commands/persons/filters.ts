import { option, repeated } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { type Filter, propertyFilter } from '../../filters/filter.ts'
import type { PersonFilter } from '../../filters/person-filter.ts'
import { text } from '../../values/kinds.ts'

export const filters = {
  search: option(text, 'TEXT', 'part of an e-mail, of the name or of a property, or a distinct id'),
  email: option(text, 'EMAIL', 'exactly this e-mail'),
  distinctId: option(text, 'ID', 'exactly this distinct id'),
  property: repeated(propertyFilter, 'FILTER', 'short for --where properties.FILTER, such as plan=pro or !email'),
}

type GivenFilters = Partial<PersonFilter> & { readonly property?: readonly Filter[] }

/** Throws `UsageError` for an empty filter, since servers then return everyone. */
export function personFilter(given: GivenFilters): PersonFilter {
  const { search, email, distinctId, property = [], where = [] } = given
  const texts = { '--search': search, '--email': email, '--distinct-id': distinctId }
  const empty = Object.entries(texts).find(([, value]) => value?.trim() === '')
  if (empty) throw new UsageError(`${empty[0]} is empty: that would select everyone`, { hint: 'Give it a value' })
  return { search, email, distinctId, where: [...property, ...where] }
}
