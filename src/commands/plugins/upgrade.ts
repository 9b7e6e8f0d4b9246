import { plugins } from '../../api/endpoints.ts'
import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { bodyOf, fieldOptions, freeOptions } from '../writing/body.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Upgrade a plugin to its latest version',
  args: { id: idArgument(argument('ID', 'id of the plugin'), 'plugins') },
  options: { ...fieldOptions(plugins.upgrade.body), ...freeOptions },
  examples: ['plugins upgrade 4'],
  async run({ id }, given, context) {
    const body = (await bodyOf(context.host, plugins.upgrade.body, given)) ?? {}
    return startChange(context, { command: 'plugins upgrade', values: { body } }, [id], {})
  },
})
