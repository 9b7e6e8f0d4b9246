import { conflicting, defineCommand, option, optionalArgument } from '../../cli/command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { matcherOf, operators } from '../../filters/filter.ts'
import { personQuery, readFilterEntry } from '../../filters/person-filter.ts'
import { encode, isObject } from '../../json/exact.ts'
import { propertyPath } from '../../json/property-path.ts'
import { readJson } from '../../json/read-json.ts'
import { collections } from '../../operations/collections.ts'
import { countOf } from '../../text/grouped.ts'
import { text } from '../../values/kinds.ts'
import { listCollection, paging } from '../paging.ts'
import { listedPersons, personFilter } from '../writing/bulk-options.ts'

export default defineCommand({
  summary: 'List persons, newest first',
  details:
    'Shows one page, whose length the service decides. With --limit, --all, --where or --property it reads as many pages as needed.',
  args: { text: optionalArgument('TEXT', 'same as --search TEXT') },
  options: {
    ...listedPersons,
    properties: conflicting(option(text, 'JSON', 'filter as the service takes it: JSON or @file'), 'property'),
    ...paging,
  },
  examples: [
    'persons list ada@ # Search for part of an email, or for a distinct id',
    'persons list --property plan=library -o csv # Export all persons with a property as CSV',
    'persons list --all -o ids # Print all ids, one per line',
    'persons list --emails-from request.csv # Look up a list of emails',
  ],
  async run({ text }, { search = text, ...others }, context) {
    const options = { ...others, search }
    if (search?.trim() === '') {
      throw new UsageError('TEXT is empty, and would match everyone', { hint: 'Is a shell variable empty?' })
    }
    if (text !== undefined && text !== search) {
      const hint = 'Use one of them. Put quotes around a value with spaces'
      throw new UsageError('--search cannot be combined with another text', { hint })
    }
    const filter = personFilter(options)
    const file = options.emailsFrom ?? options.distinctIdsFrom
    if (file !== undefined) return (await import('./list-named.ts')).listNamed(context, file, options)
    const given = options.properties === undefined ? undefined : await readFilters(context, options.properties)
    const query = { ...personQuery(filter), ...given?.query }
    return listCollection(context, collections.persons, options, { filter, query, serverFilters: given?.filters })
  },
})

/** Throws `UsageError` for an entry that servers ignore, since they would return all persons. */
async function readFilters({ host, messages }: Context, typed: string) {
  const entries = await readJson(host, '--properties', typed)
  if (!Array.isArray(entries) || entries.length === 0) throw malformed('this is not a JSON list of filters')
  const filters = entries.flatMap((entry, i) => {
    const isCohort = isObject(entry) && entry.type === 'cohort'
    const filter = readFilterEntry(isCohort ? { ...entry, type: 'person' } : entry, { requireType: true })
    if (!filter || filter.key.trim() === '') {
      throw malformed(`entry ${i + 1} needs a key, a value, "type":"person" and a known operator`)
    }
    if (isCohort) return []
    if (!matcherOf(filter) || filter.values.some(value => value.trim() === '' || value === 'null')) {
      throw malformed(`entry ${i + 1} has a value that cannot be checked here`)
    }
    return { ...filter, key: propertyPath(filter.key) }
  })
  const unchecked = entries.length - filters.length
  if (unchecked > 0) {
    const named = countOf(unchecked, 'entry', 'entries')
    messages.warn(`${named} of type cohort cannot be checked here: only the server knows the members of a cohort`)
  }
  return { filters, query: { properties: encode(entries) } }
}

function malformed(what: string): UsageError {
  return new UsageError(`--properties: ${what}`, {
    hint: `Write it like [{"key":"plan","value":"pro","operator":"exact","type":"person"}]. Operators: ${operators.join(' ')}`,
  })
}
