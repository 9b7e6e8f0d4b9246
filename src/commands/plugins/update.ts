import { plugins } from '../../api/endpoints.ts'
import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { fieldOptions, freeOptions, neededBodyOf } from '../writing/body.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Change a plugin',
  details: 'If the service accepts a field but does not apply it, the exit code is 5.',
  args: { id: idArgument(argument('ID', 'id of the plugin'), 'plugins') },
  options: { ...fieldOptions(plugins.update.body), ...freeOptions },
  examples: [
    'plugins update 1 --description "Adds a country" # Set a text',
    'plugins update 1 --no-is-global # Switch a setting off',
  ],
  async run({ id }, options, context) {
    const body = await neededBodyOf(context.host, plugins.update.body, options)
    return startChange(context, { command: 'plugins update', values: { body } }, [id], {})
  },
})
