import { plugins } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { confirm, refuseUnanswerable } from '../../cli/confirm.ts'
import { argument } from '../../cli/options.ts'
import { views } from '../../output/views.ts'
import { preview } from '../preview.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Remove a plugin from the organization',
  calls: [plugins.delete, plugins.get],
  args: { id: argument('ID', 'id of the plugin') },
  options: {},
  examples: ['plugins delete 2 --yes'],
  async run({ id }, _, context) {
    const { host, values } = context
    const doing = `Deleting plugin ${id}`
    refuseUnanswerable(host, values, doing)
    const { client, organization, place } = await context.connect()
    const path = { parent_lookup_organization_id: await organization(), id }
    const request = client.request(plugins.delete, { path })
    await preview(context, client.request(plugins.get, { path }), views.plugin)
    await confirm(host, values, { doing: `${doing} (${place})`, answer: 'yes' })
    return write(client, request, { id, done: `Deleted plugin ${id} (${place})`, view: views.plugin }, context)
  },
})
