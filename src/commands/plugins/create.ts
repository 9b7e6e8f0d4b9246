import { plugins } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { collections } from '../../operations/collections.ts'
import { bodyOf, bodyOptions } from '../writing/body.ts'
import { sendSingle } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Install a plugin',
  details: 'Real servers require a URL unless the plugin type is source. Use --set url=URL.',
  options: bodyOptions(plugins.create.body),
  examples: [
    'plugins create --name Tidy --plugin-type source # Add its source later with update-source',
    'plugins create --name Geo --set url=https://example.com/geo # Install from a repository',
  ],
  async run(_, options, context) {
    const body = (await bodyOf(context.host, plugins.create.body, options)) ?? {}
    return sendSingle(context, plugins.create, body, { of: collections.plugins, id: '', done: 'Installed a plugin' })
  },
})
