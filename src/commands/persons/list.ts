import { persons } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { checkFilters, filters, givenFilter } from '../../cli/filters.ts'
import { option } from '../../cli/options.ts'
import { listing, paging } from '../../cli/paging.ts'
import { checkServerFormat, serverFormat, untouched } from '../../cli/server-format.ts'
import { UsageError } from '../../errors.ts'
import { fixPersonTimes, personQuery } from '../../filters/person-filter.ts'
import { views } from '../../output/views.ts'

export default defineCommand({
  summary: 'List persons, newest first',
  details: 'Without --limit or --all it shows one page, as long as the service makes it.',
  calls: [persons.list],
  args: {},
  options: {
    ...filters,
    ...paging,
    serverFormat: option(serverFormat, 'FORMAT', "print the server's own csv or json; one page only"),
  },
  examples: [
    'persons list --search ada@ # Part of an e-mail, or a whole distinct id',
    'persons list --property plan=library --all -o csv # All persons with a property, as CSV',
    'persons list --all -o ids # All ids, one a line, for xargs or --from',
  ],
  async run(_, options, context) {
    checkServerFormat(context, options)
    if (options.serverFormat !== undefined && options.where.length > 0) {
      throw new UsageError('--where does not go with --server-format', { hint: 'Leave one of them out' })
    }
    checkFilters(options, options.properties)
    const properties = await givenFilter(context.host, options.properties)
    const { client, project, now } = await context.connect()
    const typed = personQuery(fixPersonTimes(options, now()))
    const input = {
      path: { project_id: project() },
      query: { ...typed, properties: properties ?? typed.properties },
    }
    if (options.serverFormat === undefined) {
      return listing(context, { endpoint: persons.list, input, view: views.person, largePage: 1000 }, options)
    }
    const { limit, pageSize, offset } = options
    const query = { ...input.query, limit: pageSize ?? limit, offset, format: options.serverFormat }
    return untouched(client, client.request(persons.list, { ...input, query }))
  },
})
