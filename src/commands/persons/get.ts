import type { Client } from '../../api/client.ts'
import { persons } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { defineCommand } from '../../cli/command.ts'
import { checkFilters } from '../../cli/filters.ts'
import { idArgument, option, optionalArgument, personNames } from '../../cli/options.ts'
import { checkServerFormat, serverFormat, untouched } from '../../cli/server-format.ts'
import { NotFoundError, RefusedError, UsageError } from '../../errors.ts'
import { personQuery } from '../../filters/person-filter.ts'
import { compile, elements, textOf } from '../../json/pick.ts'
import type { Item } from '../../json/slice.ts'
import { views } from '../../output/views.ts'
import { text } from '../../values/kinds.ts'
import { showRecord } from '../show-object.ts'

export default defineCommand({
  summary: 'Show one person',
  details: 'By id, by one of the distinct ids, or by e-mail. A distinct id is never taken for a person id.',
  calls: [persons.get, persons.list],
  args: { id: idArgument(optionalArgument('ID', 'id of the person'), 'persons', personNames) },
  options: {
    distinctId: option(text, 'ID', 'the person with this distinct id'),
    email: option(text, 'EMAIL', 'the person with exactly this e-mail'),
    serverFormat: option(serverFormat, 'FORMAT', "print the server's own csv or json"),
  },
  examples: [
    'persons get 1 # By id',
    'persons get --email ada@example.com # By e-mail',
    'persons get --distinct-id ada -o json # By distinct id, as JSON',
  ],
  async run({ id }, { distinctId, email, serverFormat: format }, context) {
    checkServerFormat(context, { serverFormat: format })
    const given = [id, distinctId, email].filter(value => value !== undefined)
    if (given.length !== 1) {
      throw new UsageError(given.length === 0 ? 'No person was given' : 'Only one person can be shown', {
        hint: 'Give an id, or --distinct-id, or --email',
      })
    }
    checkFilters({ email, distinctId })
    const wanted = personQuery({ email, distinctId, property: [] })
    const { client, project } = await context.connect()
    const path = { project_id: project() }
    if (id !== undefined) {
      if (format === undefined) return showRecord(client, persons.get, { ...path, id }, views.person)
      return untouched(client, client.request(persons.get, { path: { ...path, id }, query: { format } }))
    }
    const item = await find(client, path, wanted)
    if (format === undefined) return { document: { shape: 'object', batches: [[item]], view: views.person } }
    // Only now is it sure who is meant.
    return untouched(
      client,
      client.request(persons.get, { path: { ...path, id: personIdOf(item) }, query: { format } }),
    )
  },
})

interface Wanted {
  readonly distinct_id: string | undefined
  readonly email: string | undefined
}

/** The only person that the filter fits. A server may ignore a filter and answer with everyone, so each is looked at. */
async function find(client: Client, path: { project_id: string }, wanted: Wanted): Promise<Item> {
  const request = client.request(persons.list, { path, query: wanted })
  const found: Item[] = []
  for await (const batch of list(client, request, { follow: true }).batches) {
    const stranger = batch.find(item => !fits(item, wanted))
    if (stranger)
      throw new RefusedError('The server ignored the filter: it answered with somebody else', { hint: 'Give the id' })
    for (const item of batch) found.push(item)
    if (found.length > 1) {
      throw new RefusedError('More than one person fits', {
        hint: 'List them with analytics persons list, then give one id',
      })
    }
  }
  const [person] = found
  if (!person) {
    throw new NotFoundError(`No person has that ${wanted.email === undefined ? 'distinct id' : 'e-mail'}`, {
      ...(wanted.email === undefined
        ? {}
        : { hint: 'E-mails are compared letter by letter, upper and lower case included' }),
    })
  }
  return person
}

function personIdOf(item: Item): string {
  const [id] = compile(['id']).pick(item)
  return id ? textOf(id) : ''
}

const picker = compile(['properties.email', 'distinct_ids'])

function fits(item: Item, { distinct_id, email }: Wanted): boolean {
  const [ownEmail, ids] = picker.pick(item)
  if (email !== undefined) return ownEmail !== undefined && textOf(ownEmail) === email
  return ids !== undefined && elements(ids).some(one => textOf(one) === distinct_id)
}
