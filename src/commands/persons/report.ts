import { unexpectedAnswer } from '../../api/answers/answer.ts'
import { isSameRecord } from '../../api/answers/record-identity.ts'
import type { Client } from '../../api/client.ts'
import { persons } from '../../api/endpoints.ts'
import { pageIn } from '../../api/page.ts'
import { list } from '../../api/pages.ts'
import { optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { AuthError, Failure, InterruptedError, NotFoundError, PartialError } from '../../errors.ts'
import type { Request } from '../../http/message.ts'
import { isObject, valueAt } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { itemOf, readItem } from '../../json/read-item.ts'
import { undocumented } from '../../output/views.ts'
import { read } from '../../result.ts'
import { fixProject } from '../../runs/place.ts'
import { text } from '../../values/kinds.ts'
import { checkPerson, findNamedPerson, personNamed } from './find-person.ts'

/** Data that the service may store and that this report cannot contain. */
const notes = [
  'Events of the person are not part of this API',
  'Session recordings of the person are not part of this API',
]

export default defineCommand({
  summary: 'Collect all that this API tells of one person, for an access request',
  details:
    'The person, the activity to its last page, the history of the properties, and the cohorts. A part that the server does not answer is an error in its place, and the exit code is 8.',
  args: { id: { ...optionalArgument('ID', 'id of the person, or an e-mail'), check: checkPerson } },
  options: {
    distinctId: option(text, 'ID', 'the person with this distinct id'),
    email: option(text, 'EMAIL', 'the person with exactly this e-mail'),
  },
  examples: ['persons report 55 # By id', 'persons report --email ada@example.com > ada.json # By e-mail, into a file'],
  async run(args, options, context) {
    const { id: typed, ...name } = personNamed(args.id, options)
    const connection = await context.connect()
    const { client, project } = await fixProject(connection).catch((error: unknown) => {
      // A key may be allowed to read persons but not the project.
      if (error instanceof AuthError || error instanceof NotFoundError) return connection
      throw error
    })
    const path = { project_id: project() }
    const { id, record } =
      typed === undefined
        ? await findNamedPerson({ client, project }, name)
        : { id: typed, record: () => client.record(persons.get, { path: { ...path, id: typed } }) }
    const person = await record()
    const input = { path: { ...path, id } }
    const failed = new Set<string>()
    const doubts: string[] = []
    const part = async (name: string, request: Request) => {
      const onRepeat = () => {
        failed.add(name)
        const note = `${name} may be incomplete: the service led back to a page already read`
        doubts.push(note)
        context.messages.fault(note)
      }
      try {
        return await readAll(client, request, { person, isList: name !== 'properties_timeline', onRepeat })
      } catch (error) {
        if (!(error instanceof Failure) || error instanceof InterruptedError) throw error
        failed.add(name)
        context.messages.fault(`${name}: ${error.message}`)
        return itemOf({
          error: { name: error.name, status: error.facts.status ?? null, message: error.message },
        })
      }
    }
    const report = {
      person,
      activity: await part('activity', client.request(persons.activity, input)),
      properties_timeline: await part('properties_timeline', client.request(persons.propertiesTimeline, input)),
      cohorts: await part('cohorts', client.request(persons.cohorts, { path, params: [['person_id', id]] })),
      base_url: itemOf(client.base.href),
      project: itemOf(path.project_id),
      generated_at: itemOf(new Date(context.host.clock.now()).toISOString()),
      notes: itemOf([...notes, ...doubts]),
    }
    const members = Object.entries(report).map(([name, { text }]) => `${JSON.stringify(name)}:${text}`)
    const whole = readItem(Buffer.from(`{${members.join()}}`))
    const document = { shape: 'object', batches: [[whole]], view: undocumented } as const
    return read({ document, format: 'json' }, () => {
      if (failed.size === 0) return
      throw new PartialError(`The report is not complete: ${[...failed].join(', ')}`, {
        hint: 'Its errors and notes say what may be missing; all other parts are complete',
      })
    })
  },
})

interface Part {
  readonly person: Item
  readonly isList: boolean
  readonly onRepeat: () => void
}

/** All pages of a list become one array. Throws `RejectedError` for an answer without data. */
async function readAll(client: Client, request: Request, { person, isList, onRepeat }: Part): Promise<Item> {
  const { item, status } = await client.answer(request)
  if (!item) throw unexpectedAnswer(request, 'an empty body', { status })
  if (!pageIn(item)) {
    const { value } = item
    if (!isObject(value)) throw unexpectedAnswer(request, 'neither a list nor an object', { status })
    const isTimeline = !isList && Array.isArray(valueAt(value, 'points'))
    // By the service's document, each part may be answered with the person.
    if (!isTimeline && !isSameRecord(value, person.value, persons.get.returns.of)) {
      const wanted = isList ? 'a list' : 'a timeline'
      throw unexpectedAnswer(request, `neither ${wanted} nor the record of the person`, { status })
    }
    return item
  }
  const items: string[] = []
  for await (const batch of list(client, request, { follow: true, onRepeat }, item).batches) {
    items.push(...batch.map(({ text }) => text))
  }
  return readItem(Buffer.from(`[${items.join()}]`))
}
