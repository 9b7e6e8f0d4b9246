import type { Client } from '../../api/client.ts'
import { plugins } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { defineCommand } from '../../cli/command.ts'
import type { Item } from '../../json/item.ts'
import { compile, elements, kindOf, textOf } from '../../json/pick.ts'
import type { Document } from '../../output/document.ts'
import { views } from '../../output/views.ts'
import { paging } from '../reading/paging.ts'
import { pagingParams, parameters, untypedResponse } from '../reading/untyped-response.ts'

type PluginOf = (id: Item) => Promise<Item>

export default defineCommand({
  summary: 'List the plugins that nobody uses',
  details:
    'Servers answer with ids alone. For tables, CSV, --fields and --where each id is looked up in the list of plugins.',
  calls: [plugins.unused, plugins.list],
  args: {},
  options: { ...parameters, ...paging },
  examples: ['plugins unused'],
  async run(_, options, context) {
    const params = [...options.param, ...pagingParams(options)]
    const { client, organization } = await context.connect()
    const path = { parent_lookup_organization_id: await organization() }
    const pluginOf = lookUp(client, path)
    const result = await untypedResponse(context, client.request(plugins.unused, { path, params }), options, {
      source: { documented: views.plugin.fields, readRecord: pluginOf },
    })
    const { output = 'table', fields } = context.values
    const hasColumns = fields !== undefined || output === 'table' || output === 'csv'
    // Servers return a list of ids, although the document shows an object.
    const { data } = result
    if (!hasColumns || !('document' in data) || data.document.shape !== 'list') return result
    return { ...result, data: { document: asPlugins(data.document, pluginOf) } }
  },
})

function asPlugins(document: Document, pluginOf: PluginOf): Document {
  async function* batches() {
    for await (const batch of document.batches) {
      const items = batch.flatMap(item => (kindOf(item) === 'array' ? elements(item) : [item]))
      yield await Promise.all(items.map(pluginOf))
    }
  }
  return { ...document, batches: batches(), view: views.plugin }
}

/** Finds plugins by id in the list of plugins, which is read once; other items stay as they are. */
function lookUp(client: Client, path: { readonly parent_lookup_organization_id: string }): PluginOf {
  let reading: Promise<ReadonlyMap<string, Item>> | undefined
  return async item => {
    if (kindOf(item) !== 'number') return item
    reading ??= pluginsById(client, path)
    return (await reading).get(textOf(item)) ?? Buffer.from(`{"id":${item}}`)
  }
}

async function pluginsById(
  client: Client,
  path: { readonly parent_lookup_organization_id: string },
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>()
  const idOf = compile(['id'])
  for await (const batch of list(client, client.request(plugins.list, { path }), { follow: true }).batches) {
    for (const item of batch) {
      const [id] = idOf.pick(item)
      // A copy, because the row would keep its whole page in memory.
      if (id) found.set(textOf(id), Buffer.from(item))
    }
  }
  return found
}
