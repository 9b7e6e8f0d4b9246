import { eventDefinitions } from '../../api/endpoints.ts'
import { idArgument, optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { views } from '../../output/views.ts'
import { findByName } from '../../targets/find-definitions-by-name.ts'
import { name } from '../../values/kinds.ts'
import { showRecord } from '../reading/show-object.ts'

export default defineCommand({
  summary: 'Show one event definition',
  args: {
    id: idArgument(optionalArgument('ID', 'id of the event definition'), 'event_definitions', {
      text: 'a name use --by-name',
    }),
  },
  options: { byName: option(name, 'NAME', 'the event definition with exactly this name') },
  examples: [
    'event-definitions get 534f1026-b04c-4d79-8bd3-3544c4652cec # By id',
    "event-definitions get --by-name 'order placed' # By name",
  ],
  async run({ id: typed }, { byName }, context) {
    if ((typed === undefined) === (byName === undefined)) {
      throw new UsageError('One event definition is shown, by its id or by its name', {
        hint: 'Give ID or --by-name NAME',
      })
    }
    const connection = await context.connect()
    const { client, project } = connection
    const project_id = project()
    const [found = ''] = byName === undefined ? [typed] : await findByName(connection, [byName])
    return showRecord(client, eventDefinitions.get, { project_id, id: found }, views.eventDefinition)
  },
})
