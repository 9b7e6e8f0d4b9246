import { eventDefinitions } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { argument, idArgument } from '../../cli/options.ts'
import { views } from '../../output/views.ts'
import { showRecord } from '../show-object.ts'

export default defineCommand({
  summary: 'Show one event definition',
  calls: [eventDefinitions.get],
  args: { id: idArgument(argument('ID', 'id of the event definition'), 'event_definitions') },
  options: {},
  examples: ['event-definitions get 534f1026-b04c-4d79-8bd3-3544c4652cec'],
  async run({ id }, _, context) {
    const { client, project } = await context.connect()
    return showRecord(client, eventDefinitions.get, { project_id: project(), id }, views.eventDefinition)
  },
})
