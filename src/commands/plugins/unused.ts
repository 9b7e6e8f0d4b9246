import type { Client } from '../../api/client.ts'
import { plugins } from '../../api/endpoints.ts'
import { list } from '../../api/pages.ts'
import { defineCommand } from '../../cli/command.ts'
import { paging } from '../../cli/paging.ts'
import { pagingParams, parameters, untypedResponse } from '../../cli/untyped-response.ts'
import type { Item } from '../../json/item.ts'
import { compile, elements, kindOf, textOf } from '../../json/pick.ts'
import type { Document } from '../../output/document.ts'
import { isTable } from '../../output/is-table.ts'
import { undocumented, views } from '../../output/views.ts'

export default defineCommand({
  summary: 'List the plugins that nobody uses',
  details: 'Servers answer with ids alone. A table shows their names as well, which are read from the list of plugins.',
  calls: [plugins.unused, plugins.list],
  args: {},
  options: { ...parameters, ...paging },
  examples: ['plugins unused'],
  async run(_, options, context) {
    const params = [...options.param, ...pagingParams(options)]
    const { client, organization } = await context.connect()
    const path = { parent_lookup_organization_id: await organization() }
    const request = client.request(plugins.unused, { path, params })
    const result = await untypedResponse(context, request, options, { view: undocumented })
    const { values } = context
    // Servers answer with a list of ids; only the document says an object.
    if (!isTable(values) || values.dryRun || !('document' in result) || result.document.shape !== 'list') return result
    return { ...result, document: withNames(client, path, result.document) }
  },
})

type Path = { readonly parent_lookup_organization_id: string }

/** Replaces each id by its plugin from the list of plugins. */
function withNames(client: Client, path: Path, document: Document): Document {
  async function* batches() {
    let found: ReadonlyMap<string, Item> | undefined
    for await (const batch of document.batches) {
      const items = batch.flatMap(item => (kindOf(item) === 'array' ? elements(item) : [item]))
      if (!items.some(isId)) yield items
      else {
        found ??= await pluginsById(client, path)
        yield items.map(item => (isId(item) ? (found?.get(textOf(item)) ?? Buffer.from(`{"id":${item}}`)) : item))
      }
    }
  }
  return { shape: 'list', batches: batches(), view: views.plugin }
}

function isId(item: Item): boolean {
  return kindOf(item) === 'number'
}

async function pluginsById(client: Client, path: Path): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>()
  const idOf = compile(['id'])
  for await (const batch of list(client, client.request(plugins.list, { path }), { follow: true }).batches) {
    for (const item of batch) {
      const [id] = idOf.pick(item)
      // A row is valid only until the next page, so it is copied.
      if (id) found.set(textOf(id), Buffer.from(item))
    }
  }
  return found
}
