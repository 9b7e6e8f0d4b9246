import { projects } from '../../api/endpoints.ts'
import { idArgument, optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { recordDocument } from '../../output/document.ts'
import { views } from '../../output/views.ts'

export default defineCommand({
  summary: 'Show one project with its settings',
  args: { id: idArgument(optionalArgument('ID', 'id of the project (default: the project in use)'), 'projects') },
  options: {},
  examples: [
    'projects get # Show the project in use',
    'projects get 2 -o json # Show another project as JSON',
    'projects get --fields name,timezone # Show some fields',
  ],
  async run({ id }, _, context) {
    const { client, project } = await context.connect()
    const record = await client.record(projects.get, { path: { id: id ?? project() } })
    return { data: recordDocument(record, views.project) }
  },
})
