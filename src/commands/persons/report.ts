import type { Client } from '../../api/client.ts'
import { persons } from '../../api/endpoints.ts'
import { list, pageIn } from '../../api/pages.ts'
import { idOf, idsIn } from '../../api/responses/record-identity.ts'
import { unexpectedResponse } from '../../api/responses/response.ts'
import { defineCommand } from '../../cli/command.ts'
import { Failure, InterruptedError, NotFoundError, PartialError } from '../../errors.ts'
import type { Request } from '../../http/message.ts'
import { encode, isObject } from '../../json/exact.ts'
import { readItem } from '../../json/read-item.ts'
import { collections } from '../../operations/collections.ts'
import { recordDocument, undocumented } from '../../output/views.ts'
import { resolveScope } from '../../runs/scope.ts'
import { findOnePerson, onePerson, requirePerson } from './get.ts'

/** Data that the service may store and that this report cannot contain. */
const notes = [
  'Events of the person are not part of this API',
  'Session recordings of the person are not part of this API',
]

export default defineCommand({
  summary: 'Collect everything about one person, for an access request',
  details:
    'Collects the person, all activity, the history of the properties and the cohorts. If the server fails to return a part, the report holds the error instead, and the exit code is 8.',
  ...onePerson,
  examples: [
    'persons report 55 # By id',
    'persons report ada@example.com > ada.json # Save everything about the person with this email',
  ],
  async run(args, options, context) {
    const named = requirePerson(args.id, options)
    const reader = await resolveScope(await context.connect(), collections.persons)
    const { client } = reader
    const project_id = reader.project()
    const own = 'id' in named ? named.id : idOf((await findOnePerson(reader, named)).value, 'persons')
    // The row of a list may be shorter than the record.
    const person = await client.record(persons.get, { path: { project_id, id: own } })
    const id = idOf(person.value, 'persons')
    const input = { path: { project_id, id } }
    const ofCohorts = { path: { project_id }, query: { person_id: id } }
    const failed: string[] = []
    const part = async (name: string, request: Request) => {
      try {
        return await readAll(client, request, idsIn(person.value))
      } catch (error) {
        if (!(error instanceof Failure) || error instanceof InterruptedError) throw error
        failed.push(name)
        // The person was read, so a 404 is about the part.
        const message = error instanceof NotFoundError ? 'The server does not support this (404)' : error.message
        context.messages.problem(`${name}: ${message}`)
        return encode({ error: { name: error.name, status: error.details.status ?? null, message } })
      }
    }
    const report = {
      person: person.text,
      activity: await part('activity', client.request(persons.activity, input)),
      properties_timeline: await part('properties_timeline', client.request(persons.propertiesTimeline, input)),
      cohorts: await part('cohorts', client.request(persons.cohorts, ofCohorts)),
      base_url: encode(client.base.href),
      project: encode(project_id),
      generated_at: encode(new Date(context.host.clock.now()).toISOString()),
      notes: encode(notes),
    }
    const members = Object.entries(report).map(([name, text]) => `${encode(name)}:${text}`)
    const reportItem = readItem(Buffer.from(`{${members.join()}}`))
    const end = () => {
      if (failed.length === 0) return
      throw new PartialError(`The report is not complete: ${failed.join(', ')}`, {
        hint: 'The report names the missing parts. All other parts are complete',
      })
    }
    return { data: recordDocument(reportItem, { ...undocumented, id: 'person.id' }), format: 'json', end }
  },
})

async function readAll(client: Client, request: Request, ids: readonly string[]): Promise<string> {
  const response = await client.lazyResponse(request)
  const { item, status } = response.read()
  if (!item) throw unexpectedResponse(request, 'an empty body', { status })
  if (!pageIn(item)) {
    const isRecord = isObject(item.value) && idsIn(item.value).every(id => ids.includes(id))
    if (!isRecord) throw unexpectedResponse(request, 'neither a list nor an object of this person', { status })
    return item.text
  }
  const rows: string[] = []
  for await (const batch of list(client, request, { follow: true }, response).batches) {
    rows.push(...batch.map(({ text }) => text))
  }
  return `[${rows.join()}]`
}
