import { plugins } from '../../api/endpoints.ts'
import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { fieldOptions, freeOptions, neededBodyOf } from '../writing/body.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Change the source of a plugin',
  details:
    'On real servers each file is a field: --set "index.ts=$(cat index.ts)" writes it, and --set-json index.ts=null deletes it.',
  args: { id: idArgument(argument('ID', 'id of the plugin'), 'plugins') },
  options: { ...fieldOptions(plugins.updateSource.body), ...freeOptions },
  examples: [`plugins update-source 5 --name Tagger`],
  async run({ id }, given, context) {
    const body = await neededBodyOf(context.host, plugins.updateSource.body, given)
    return startChange(context, { command: 'plugins update-source', values: { body } }, [id], {})
  },
})
