import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { optionalArgument } from '../../cli/options.ts'
import { views } from '../../output/views.ts'
import { pulledItem, pulledYaml } from '../../settings/pulled.ts'
import { readItem, targetOf } from './changes.ts'

export default defineCommand({
  summary: 'Write the settings of a project as a file to keep',
  details:
    'Every writable field in a stable order, as YAML unless -o is given. Secrets stand there as comments, to be taken from a variable; their values are never written.',
  calls: [projects.get],
  args: { id: optionalArgument('ID', 'id of the project; left out: the project in use') },
  options: {},
  examples: ['projects pull 1', 'projects pull 1 --output-file settings.yaml'],
  async run({ id: named }, _, context) {
    const { client, id } = await targetOf(context, named)
    const item = await readItem(client, id)
    return {
      document: { shape: 'object', batches: [[pulledItem(item)]], view: views.project },
      drawn: { format: 'yaml', draw: () => pulledYaml(item) },
      format: 'yaml',
    }
  },
})
