import { plugins } from '../../api/endpoints.ts'
import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { recordDocument } from '../../output/document.ts'
import { views } from '../../output/views.ts'

export default defineCommand({
  summary: 'Show one plugin',
  args: { id: idArgument(argument('ID', 'id of the plugin'), 'plugins') },
  options: {},
  examples: ['plugins get 1'],
  async run({ id }, _, context) {
    const { client, organization } = await context.connect()
    const path = { parent_lookup_organization_id: await organization(), id }
    return { data: recordDocument(await client.record(plugins.get, { path }), views.plugin) }
  },
})
