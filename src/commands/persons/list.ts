import { persons } from '../../api/endpoints.ts'
import type { List } from '../../api/pages.ts'
import { holdsFirstIds } from '../../api/select-rows.ts'
import { type Context, defineCommand } from '../../cli/command.ts'
import { checkFilters, filters, givenFilter } from '../../cli/filters.ts'
import { listing, paging } from '../../cli/paging.ts'
import { checkServerFormat, serverFormatOption, untouched } from '../../cli/server-format.ts'
import { Failure, InterruptedError } from '../../errors.ts'
import { fixPersonTimes, type PersonFilter, personMatcher, personQuery } from '../../filters/person-filter.ts'
import type { Item } from '../../json/item.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import { collections } from '../../operations/collections.ts'
import { refuseUnheldName, unheldValue } from '../../operations/targets/open-persons.ts'
import { escapeControls } from '../../text/escape-controls.ts'

export default defineCommand({
  summary: 'List persons, newest first',
  details: 'Without --limit or --all it shows one page, as long as the service makes it.',
  calls: [persons.list],
  args: {},
  options: {
    ...filters,
    ...paging,
    serverFormat: serverFormatOption('; one page only'),
  },
  examples: [
    'persons list --search ada@ # Part of an e-mail, or a whole distinct id',
    'persons list --property plan=library --all -o csv # All persons with a property, as CSV',
    'persons list --all -o ids # All ids, one a line, for xargs or --from',
  ],
  async run(_, options, context) {
    checkServerFormat(context, options)
    checkFilters(options, options.properties)
    const properties = await givenFilter(context.host, options.properties)
    const connection = await context.connect()
    const { client, project, now } = connection
    await refuseUnheldName(connection, options.property, 'Look at persons without this filter first')
    const filter = fixPersonTimes(options, now())
    const typed = personQuery(filter)
    const input = {
      path: { project_id: project() },
      query: { ...typed, properties: properties ?? typed.properties },
    }
    const read = () => {
      if (options.serverFormat === undefined) {
        const watch = Object.values(typed).some(value => value !== undefined) ? watchFilter(context, filter) : undefined
        return listing(context, { ...collections.persons, input, watch }, options)
      }
      const { limit, pageSize, offset } = options
      const query = { ...input.query, limit: pageSize ?? limit, offset, format: options.serverFormat }
      return untouched(client, client.request(persons.list, { ...input, query }))
    }
    const result = await read()
    return {
      ...result,
      async afterwards() {
        await result.afterwards?.()
        const unheld = await unheldValue(connection, options.property).catch(unlessFailure)
        if (unheld) context.messages.warn(`${unheld.message}. ${unheld.facts.hint}`)
      },
    }
  },
})

/** The rows are already printed, so a failed check must not fail the command. */
function unlessFailure(error: unknown): undefined {
  if (!(error instanceof Failure) || error instanceof InterruptedError) throw error
}

const { pick } = compile(['id'])

/** Warns once about a person who does not match: some servers ignore a filter and return everyone. */
function watchFilter({ messages }: Context, filter: PersonFilter): (rows: List) => List {
  const matches = personMatcher(filter)
  const isForeign = (person: Item) => kindOf(person) === 'object' && !matches(person) && !holdsFirstIds(person)
  return ({ batches, seen }) => {
    async function* watched() {
      let isWarned = false
      for await (const batch of batches) {
        const foreign = isWarned ? undefined : batch.find(isForeign)
        if (foreign) {
          const [id] = pick(foreign)
          const who = id ? `person ${escapeControls(textOf(id))}` : 'somebody'
          messages.warn(`The server ignored the filter: it answered with ${who}, who does not match`)
          isWarned = true
        }
        yield batch
      }
    }
    return { batches: watched(), seen }
  }
}
