import { defineCommand } from '../../cli/command.ts'
import { collections } from '../../operations/collections.ts'
import { listCollection, paging } from '../reading/paging.ts'

export default defineCommand({
  summary: 'List the event definitions of the project',
  args: {},
  options: paging,
  examples: [
    'event-definitions list # Show the first page',
    'event-definitions list --fields name,tags # Show some fields',
  ],
  async run(_, options, context) {
    const { project } = await context.connect()
    return listCollection(context, collections.event_definitions, { path: { project_id: project() } }, options)
  },
})
