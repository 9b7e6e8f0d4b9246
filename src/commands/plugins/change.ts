import { plugins } from '../../api/endpoints.ts'
import { argument, type Command, defineCommand, idArgument } from '../../cli/command.ts'
import { bodyOf, bodyOptions, requireValues } from '../writing/body.ts'
import { startChange } from '../writing/start-change.ts'

const rows = {
  update: {
    fields: plugins.update.body,
    summary: 'Change a plugin',
    examples: [
      'plugins update 1 --description "Adds a country" # Set a text',
      'plugins update 1 --no-is-global # Switch a setting off',
    ],
  },
  'update-source': {
    fields: plugins.updateSource.body,
    summary: 'Change the source of a plugin',
    details:
      'On real servers each file is a field: --set "index.ts=$(cat index.ts)" writes it, and --set-json index.ts=null deletes it.',
    examples: ['plugins update-source 5 --name Tagger'],
  },
  upgrade: {
    fields: plugins.upgrade.body,
    summary: 'Upgrade a plugin to its latest version',
    examples: ['plugins upgrade 4'],
  },
} as const

export function changeCommand(verb: keyof typeof rows): Command {
  const { fields, ...texts } = rows[verb]
  return defineCommand({
    ...texts,
    args: { id: idArgument(argument('ID', 'id of the plugin'), 'plugins') },
    options: bodyOptions(fields),
    async run({ id }, options, context) {
      const given = await bodyOf(context.host, fields, options)
      const body = verb === 'upgrade' ? (given ?? {}) : requireValues(given)
      return startChange(context, { command: `plugins ${verb}`, values: { body } }, [id], {})
    },
  })
}
