import { plugins } from '../../api/endpoints.ts'
import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { timelineView, undocumented } from '../../output/views.ts'
import { paging } from '../reading/paging.ts'
import { activityParams, pagingParams, parameters, untypedResponse } from '../reading/untyped-response.ts'

type OfAll = typeof plugins.activity | typeof plugins.exportsUnsubscribeConfigs | typeof plugins.repository

const options = { ...parameters, ...paging }

const source = defineCommand({
  summary: 'Show the source of a plugin, file by file',
  calls: [plugins.source],
  args: { id: idArgument(argument('ID', 'id of the plugin'), 'plugins') },
  options,
  examples: ['plugins source 5'],
  async run({ id }, options, context) {
    const params = [...options.param, ...pagingParams(options)]
    const { client, organization } = await context.connect()
    const path = { parent_lookup_organization_id: await organization(), id }
    const request = client.request(plugins.source, { path, params })
    return untypedResponse(context, request, options, { empty: `Plugin ${id} has no source` })
  },
})

function ofAll(word: string, summary: string, row: OfAll, pages = pagingParams, view = undocumented) {
  return defineCommand({
    summary,
    calls: [row],
    args: {},
    options,
    examples: [`plugins ${word}`],
    async run(_, options, context) {
      const params = [...options.param, ...pages(options)]
      const { client, organization } = await context.connect()
      const path = { parent_lookup_organization_id: await organization() }
      return untypedResponse(context, client.request(row, { path, params }), options, { view })
    },
  })
}

export const pluginReads = {
  source,
  activity: ofAll('activity', 'Show what was done to plugins', plugins.activity, activityParams, timelineView),
  'exports-unsubscribe-configs': ofAll(
    'exports-unsubscribe-configs',
    'List the plugins that can unsubscribe persons from exports',
    plugins.exportsUnsubscribeConfigs,
  ),
  repository: ofAll('repository', 'List the plugins that can be installed', plugins.repository),
}
