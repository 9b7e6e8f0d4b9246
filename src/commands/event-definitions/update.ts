import { eventDefinitions } from '../../api/endpoints.ts'
import { bodyOf, fieldOptions, freeOptions } from '../../cli/body.ts'
import { defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { views } from '../../output/views.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Rename or tag an event definition',
  details:
    'Tags replace the whole list. The answer is compared with what was asked: a field that the service accepted and did not apply is named, and the exit code is 5.',
  calls: [eventDefinitions.update],
  args: { id: argument('ID', 'id of the event definition') },
  options: { ...fieldOptions(eventDefinitions.update.body), ...freeOptions },
  examples: [],
  async run({ id }, options, context) {
    const rawBody = await bodyOf(context.host, eventDefinitions.update.body, options)
    if (rawBody === undefined) {
      throw new UsageError('Nothing to change was given', { hint: 'See analytics event-definitions update --help' })
    }
    const { client, project, place } = await context.connect()
    const path = { project_id: project(), id }
    const request = client.request(eventDefinitions.update, { path, rawBody })
    const wanted = rawBody as Readonly<Record<string, unknown>>
    const done = `Accepted for event definition ${id} (${place})`
    return write(client, request, { id, done, view: views.eventDefinition, wanted }, context)
  },
})
