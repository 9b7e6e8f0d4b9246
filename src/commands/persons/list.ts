import { defineCommand, optionalArgument } from '../../cli/command.ts'
import { conflicting, option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { personQuery, readPropertyFilters } from '../../filters/person-filter.ts'
import { encode } from '../../json/exact.ts'
import { readJson } from '../../json/read-json.ts'
import { collections } from '../../operations/collections.ts'
import { countOf } from '../../text/grouped.ts'
import { text } from '../../values/kinds.ts'
import { listCollection, paging } from '../reading/paging.ts'
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
    const { properties: typed } = options
    const properties = typed === undefined ? undefined : await readJson(context.host, '--properties', typed)
    const checked = properties === undefined ? undefined : readPropertyFilters(properties)
    if (checked && checked.unchecked > 0) {
      const entries = countOf(checked.unchecked, 'entry', 'entries')
      context.messages.warn(
        `${entries} of type cohort cannot be checked here: only the server knows the members of a cohort`,
      )
    }
    const query = { ...personQuery(filter), ...(properties === undefined ? {} : { properties: encode(properties) }) }
    return listCollection(context, collections.persons, options, { filter, query, serverFilters: checked?.filters })
  },
})
