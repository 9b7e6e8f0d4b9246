import { refuseOtherRecord, unexpectedAnswer } from '../../api/answers/answer.ts'
import { plugins } from '../../api/endpoints.ts'
import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { isObject, textAt } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { membersOf } from '../../json/read-item.ts'
import { viewOfAnswer, views } from '../../output/views.ts'
import { read } from '../../result.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { parameters } from '../reading/untyped-response.ts'

export default defineCommand({
  summary: 'Check whether a plugin has a newer version',
  calls: [plugins.checkForUpdates],
  args: { id: idArgument(argument('ID', 'id of the plugin'), 'plugins') },
  options: parameters,
  examples: ['plugins check-for-updates 4'],
  async run({ id }, { param }, { connect }) {
    const { client, organization } = await connect()
    const path = { parent_lookup_organization_id: await organization(), id }
    const request = client.request(plugins.checkForUpdates, { path, params: param })
    const { item: body, status } = await client.answer(request)
    if (!body) throw unexpectedAnswer(request, 'an empty body', { status })
    const members = membersOf(body)
    const wrapped = members.get('plugin')
    const plugin = wrapped && isObject(wrapped.value) ? wrapped : body
    refuseOtherRecord(request, { item: plugin, status }, id)
    const shown = members.size === 1 ? plugin : body
    const document = { shape: 'object', batches: [[shown]], view: viewOfAnswer(views.plugin, shown) } as const
    return read({ document, drawing: { format: 'table', draw: () => `${versionLine(id, plugin)}\n` } })
  },
})

function versionLine(id: string, plugin: Item): string {
  const [name, tag, latest] = ['name', 'tag', 'latest_tag'].map(path => textAt(plugin.value, path) ?? 'none')
  return escapeControls(`Plugin ${id} (${name}): tag ${tag}, latest tag ${latest}`)
}
