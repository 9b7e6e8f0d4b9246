import { persons } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { defineCommand } from '../../cli/command.ts'
import type { Context } from '../../context.ts'
import { Failure, InterruptedError, RefusedError } from '../../errors.ts'
import { isMistake } from '../../filters/excluded.ts'
import { likelyCause, sampleSize } from '../../filters/likely-cause.ts'
import { fixPersonTimes, type PersonFilter, personQuery } from '../../filters/person-filter.ts'
import { type Json, valueAt } from '../../json/exact.ts'
import { collections } from '../../operations/collections.ts'
import { checkPersons, faultOfUnheld, type PersonReader } from '../../targets/list-persons.ts'
import { countOf } from '../../text/grouped.ts'
import { listing, paging, warnOf } from '../reading/paging.ts'
import { listedPersons } from '../writing/bulk-options.ts'
import { checkFilters, filters, readProperties, searchArgument, withSearch } from './filters.ts'

export default defineCommand({
  summary: 'List persons, newest first',
  details: 'Without --limit or --all it shows one page, as long as the service makes it.',
  args: { text: searchArgument },
  options: {
    ...filters,
    ...paging,
    ...listedPersons,
  },
  examples: [
    'persons list ada@ # Part of an e-mail, or a whole distinct id',
    'persons list --property plan=library --all -o csv # All persons with a property, as CSV',
    'persons list --all -o ids # All ids, one a line, for xargs or --from',
    'persons list --emails-from request.csv # The persons of a list, each line accounted for',
  ],
  async run({ text }, { search, ...others }, context) {
    const options = { ...others, search: withSearch(search, text) }
    if (Object.keys(listedPersons).some(name => options[name as keyof typeof listedPersons])) {
      return (await import('./list-named.ts')).listNamed(context, options)
    }
    checkFilters(options)
    const { messages } = context
    const given = options.properties === undefined ? undefined : await readProperties(context.host, options.properties)
    const connection = await context.connect()
    const { project, now } = connection
    const filter = fixPersonTimes({ ...options, property: given?.filters ?? options.property }, now())
    const typed = personQuery(filter)
    const input = {
      path: { project_id: project() },
      query: { ...typed, properties: given?.text ?? typed.properties },
    }
    const isFiltered = Object.values(input.query).some(value => value !== undefined)
    if (given && given.unchecked > 0) messages.warn(uncheckedSentence(given.unchecked))
    const check = checkPersons(connection, filter, { wide: true, hint: advice })
    const keep = isFiltered ? check.keep : undefined
    const result = await listing(context, { ...collections.persons, input, keep }, options)
    return {
      ...result,
      async conclude() {
        await result.conclude()
        const leftOut = check.leftOut()
        if (leftOut !== undefined) messages.warn(leftOut)
        if (isFiltered && check.kept() === 0 && !context.values.quiet) {
          const cause = await causeOfNothing(context, connection, filter).catch(unlessFailure)
          if (cause !== undefined) messages.notice(cause)
        }
        for (const unheld of check.unheld().filter(isMistake)) {
          const fault = await faultOfUnheld(connection, unheld, advice).catch(unlessFailure)
          if (fault) warnOf(context, fault)
        }
      },
    }
  },
})

function uncheckedSentence(entries: number): string {
  const are = entries === 1 ? 'is' : 'are'
  return `${countOf(entries, 'entry', 'entries')} of type cohort ${are} not checked here: only the service knows who is in one`
}

/** Reads some persons if the filter names properties, but no request of a script goes into advice. */
async function causeOfNothing(
  { host, values }: Context,
  { client, project }: PersonReader,
  filter: PersonFilter,
): Promise<string | undefined> {
  if (filter.email !== undefined) {
    return 'An e-mail is compared whole, upper and lower case too; --search finds a part of it'
  }
  if (filter.property.length === 0 || !(values.sandbox || host.stderr.isTerminal)) return undefined
  const request = client.request(persons.list, { path: { project_id: project() }, query: { limit: sampleSize } })
  const sample: Json[] = []
  for await (const rows of list(client, request, { follow: false }).batches)
    sample.push(...rows.map(row => valueAt(row.value, 'properties') ?? {}))
  return likelyCause(filter.property, sample)
}

const advice = 'Leave the filter out, or choose with --where, which is only checked here'

/** The rows are already printed, so a failed check must not fail the command. */
function unlessFailure(error: unknown): undefined {
  const isLost = error instanceof Failure && !(error instanceof InterruptedError || error instanceof RefusedError)
  if (!isLost) throw error
}
