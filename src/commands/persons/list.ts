import { optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { conflicting, option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { personQuery, readGivenFilters } from '../../filters/person-filter.ts'
import { encode } from '../../json/exact.ts'
import { readJson } from '../../json/read-given.ts'
import { collections } from '../../operations/collections.ts'
import { countOf } from '../../text/grouped.ts'
import { text } from '../../values/kinds.ts'
import { listCollection, paging } from '../reading/paging.ts'
import { listedPersons } from '../writing/bulk-options.ts'
import { filters, personFilter } from './filters.ts'

export default defineCommand({
  summary: 'List persons, newest first',
  details:
    'Without --limit or --all it shows one page, as long as the service makes it; with --where or --property all that match.',
  args: { text: optionalArgument('TEXT', 'the same as --search TEXT') },
  options: {
    ...filters,
    properties: conflicting(
      option(text, 'JSON', "a properties filter in the service's own form, as JSON or @file"),
      'property',
    ),
    ...paging,
    ...listedPersons,
  },
  examples: [
    'persons list ada@ # Part of an e-mail, or a whole distinct id',
    'persons list --property plan=library -o csv # All persons with a property, as CSV',
    'persons list --all -o ids # All ids, one a line, for xargs or --from',
    'persons list --emails-from request.csv # The persons of a list, each line accounted for',
  ],
  async run({ text }, { search = text, ...others }, context) {
    const options = { ...others, search }
    if (search?.trim() === '') {
      throw new UsageError('TEXT is empty, which would select everyone', {
        hint: 'Is a variable of your shell not set?',
      })
    }
    if (text !== undefined && text !== search) {
      throw new UsageError('--search cannot be combined with another text', {
        hint: 'Give one of them; a value with blanks needs quotes around it',
      })
    }
    if (Object.keys(listedPersons).some(name => options[name as keyof typeof listedPersons])) {
      return (await import('./list-named.ts')).listNamed(context, options)
    }
    const filter = personFilter(options)
    const { properties: typed } = options
    const given = typed === undefined ? undefined : await readJson(context.host, '--properties', typed)
    const checked = given === undefined ? undefined : readGivenFilters(given)
    if (checked && checked.unchecked > 0) {
      const entries = countOf(checked.unchecked, 'entry', 'entries')
      context.messages.warn(`${entries} of type cohort not checked here: only the service knows who is in one`)
    }
    const { project } = await context.connect()
    const query = { ...personQuery(filter), ...(given === undefined ? {} : { properties: encode(given) }) }
    const asked = { path: { project_id: project() }, query, filter, given: checked?.filters }
    return listCollection(context, collections.persons, asked, options)
  },
})
