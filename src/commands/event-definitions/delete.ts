import { eventDefinitions } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { confirm, refuseUnanswerable } from '../../cli/confirm.ts'
import { argument } from '../../cli/options.ts'
import { views } from '../../output/views.ts'
import { preview } from '../preview.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Delete an event definition',
  details: 'It comes back, with a new id, when the event is seen again.',
  calls: [eventDefinitions.delete, eventDefinitions.get],
  args: { id: argument('ID', 'id of the event definition') },
  options: {},
  examples: [],
  async run({ id }, _, context) {
    const { host, values } = context
    const doing = `Deleting event definition ${id}`
    refuseUnanswerable(host, values, doing)
    const { client, project, place } = await context.connect()
    const path = { project_id: project(), id }
    const request = client.request(eventDefinitions.delete, { path })
    await preview(context, client.request(eventDefinitions.get, { path }), views.eventDefinition)
    await confirm(host, values, { doing: `${doing} of project ${path.project_id} (${place})`, answer: 'yes' })
    return write(
      client,
      request,
      { id, done: `Deleted event definition ${id} (${place})`, view: views.eventDefinition },
      context,
    )
  },
})
