import { eventDefinitions } from '../../api/endpoints.ts'
import { defineCommand, option, optionalArgument } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import { recordDocument, views } from '../../output/views.ts'
import { findDefinitions } from '../../targets/find-definitions.ts'
import { isId } from '../../values/ids.ts'
import { filled } from '../../values/kinds.ts'

export default defineCommand({
  summary: 'Show one event definition',
  args: { id: optionalArgument('ID', 'id or name of the event definition') },
  options: { byName: option(filled, 'NAME', 'find the event definition with exactly this name') },
  examples: [
    'event-definitions get 534f1026-b04c-4d79-8bd3-3544c4652cec # By id',
    "event-definitions get 'order placed' # By name",
  ],
  async run({ id: word }, { byName }, context) {
    const idOrName = word ?? byName
    if (idOrName === undefined || idOrName.trim() === '' || (word !== undefined && byName !== undefined)) {
      throw new UsageError('Exactly one event definition is required', { hint: 'Give an id, or use --by-name NAME' })
    }
    const connection = await context.connect()
    const { client, project } = connection
    const isNamed = byName !== undefined || !isId('event_definitions', idOrName)
    const [id = idOrName] = isNamed ? await findDefinitions(connection, [idOrName]) : []
    const record = await client.record(eventDefinitions.get, { path: { project_id: project(), id } })
    return { data: recordDocument(record, views.eventDefinition) }
  },
})
