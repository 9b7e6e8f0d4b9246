import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { idArgument, optionalArgument } from '../../cli/options.ts'
import { views } from '../../output/views.ts'
import { showRecord } from '../show-object.ts'

export default defineCommand({
  summary: 'Show one project with its settings',
  calls: [projects.get],
  args: { id: idArgument(optionalArgument('ID', 'id of the project; left out: the project in use'), 'projects') },
  options: {},
  examples: ['projects get', 'projects get 2 -o json', 'projects get --fields name,timezone'],
  async run({ id }, _, context) {
    const { client, project } = await context.connect()
    return showRecord(client, projects.get, { id: id ?? project() }, views.project)
  },
})
