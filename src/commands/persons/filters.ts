import { option, repeated } from '../../cli/options.ts'
import { type Filter, propertyFilter } from '../../filters/filter.ts'
import type { PersonFilter } from '../../filters/person-filter.ts'
import { filled } from '../../values/kinds.ts'

/** An empty text would select everyone. */
export const filters = {
  search: option(filled, 'TEXT', 'match part of an email, name or property, or a distinct id'),
  email: option(filled, 'EMAIL', 'match this email exactly'),
  distinctId: option(filled, 'ID', 'match this distinct id exactly'),
  property: repeated(propertyFilter, 'FILTER', "short for --where properties.FILTER, such as plan=pro or '!email'"),
}

type GivenFilters = Partial<PersonFilter> & { readonly property?: readonly Filter[] }

export function personFilter(given: GivenFilters): PersonFilter {
  const { search, email, distinctId, property = [], where = [] } = given
  return { search, email, distinctId, where: [...property, ...where] }
}
