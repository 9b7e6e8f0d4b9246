import { plugins } from '../../api/endpoints.ts'
import { argument, idArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { timelineView, undocumented } from '../../output/views.ts'
import { paging } from '../reading/paging.ts'
import { activityParams, pagingParams, parameters, untypedResponse } from '../reading/untyped-response.ts'

type OfOne = typeof plugins.source
type OfAll = typeof plugins.activity | typeof plugins.exportsUnsubscribeConfigs | typeof plugins.repository

const id = idArgument(argument('ID', 'id of the plugin'), 'plugins')

const ofOne = (words: string, summary: string, row: OfOne, example: string, lacking?: string) =>
  defineCommand({
    summary,
    calls: [row],
    args: { id },
    options: { ...parameters, ...paging },
    examples: [`plugins ${words} ${example}`],
    async run(args, options, context) {
      const params = [...options.param, ...pagingParams(options)]
      const { client, organization } = await context.connect()
      const path = { parent_lookup_organization_id: await organization(), id: args.id }
      const empty = lacking === undefined ? {} : { empty: `Plugin ${args.id} ${lacking}` }
      return untypedResponse(context, client.request(row, { path, params }), options, empty)
    },
  })

const ofAll = (words: string, summary: string, row: OfAll, pages = pagingParams, view = undocumented) =>
  defineCommand({
    summary,
    calls: [row],
    args: {},
    options: { ...parameters, ...paging },
    examples: [`plugins ${words}`],
    async run(_, options, context) {
      const params = [...options.param, ...pages(options)]
      const { client, organization } = await context.connect()
      const path = { parent_lookup_organization_id: await organization() }
      return untypedResponse(context, client.request(row, { path, params }), options, { view })
    },
  })

export const source = ofOne('source', 'Show the source of a plugin, file by file', plugins.source, '5', 'has no source')
export const pluginActivity = ofAll(
  'activity',
  'Show what was done to plugins',
  plugins.activity,
  activityParams,
  timelineView,
)
export const exportsUnsubscribeConfigs = ofAll(
  'exports-unsubscribe-configs',
  'List the plugins that can unsubscribe persons from exports',
  plugins.exportsUnsubscribeConfigs,
)
export const repository = ofAll('repository', 'List the plugins that can be installed', plugins.repository)
