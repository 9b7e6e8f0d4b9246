/** Plugin endpoints that take an id or nothing, and have undocumented answers. */
import { unexpectedAnswer } from '../../api/answer.ts'
import { plugins } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { argument, idArgument } from '../../cli/options.ts'
import { activityParams, pagingParams, parameters, reading, untypedResponse } from '../../cli/untyped-response.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import type { Item } from '../../json/slice.ts'
import { happenings, undocumented, views } from '../../output/views.ts'
import { escapeControls } from '../../values/escape-controls.ts'
import { showRecord } from '../show-object.ts'

type OfOne = typeof plugins.source
type OfAll = typeof plugins.activity | typeof plugins.exportsUnsubscribeConfigs | typeof plugins.repository

const id = idArgument(argument('ID', 'id of the plugin'), 'plugins')

export const get = defineCommand({
  summary: 'Show one plugin',
  calls: [plugins.get],
  args: { id },
  options: {},
  examples: ['plugins get 1'],
  async run(args, _, context) {
    const { client, organization } = await context.connect()
    const path = { parent_lookup_organization_id: await organization(), id: args.id }
    return showRecord(client, plugins.get, path, views.plugin)
  },
})

const ofOne = (words: string, summary: string, row: OfOne, example: string, lacking?: string) =>
  defineCommand({
    summary,
    calls: [row],
    args: { id },
    options: { ...parameters, ...reading },
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
    options: { ...parameters, ...reading },
    examples: [`plugins ${words}`],
    async run(_, options, context) {
      const params = [...options.param, ...pages(options)]
      const { client, organization } = await context.connect()
      const path = { parent_lookup_organization_id: await organization() }
      return untypedResponse(context, client.request(row, { path, params }), options, { view })
    },
  })

export const checkForUpdates = defineCommand({
  summary: 'Check whether a plugin has a newer version',
  calls: [plugins.checkForUpdates],
  args: { id },
  options: parameters,
  examples: ['plugins check-for-updates 4'],
  async run(args, { param }, { connect }) {
    const { client, organization } = await connect()
    const path = { parent_lookup_organization_id: await organization(), id: args.id }
    const request = client.request(plugins.checkForUpdates, { path, params: param })
    const { item: body, status } = await client.answer(request)
    if (!body) throw unexpectedAnswer(request, 'an empty body', { status })
    const [wrapped] = compile(['plugin']).pick(body)
    const plugin = wrapped && kindOf(wrapped) === 'object' ? wrapped : body
    const document = { shape: 'object', batches: [[plugin]], view: views.plugin } as const
    return { document, drawn: { format: 'table', draw: () => `${versionLine(args.id, plugin)}\n` } }
  },
})

/** Such as `Plugin 4 (Taxonomy): tag 0.4.0, latest tag 0.5.2`. */
function versionLine(id: string, plugin: Item): string {
  const [name, tag, latest] = compile(['name', 'tag', 'latest_tag'])
    .pick(plugin)
    .map(value => (value && kindOf(value) === 'string' ? textOf(value) : 'none'))
  return escapeControls(`Plugin ${id} (${name}): tag ${tag}, latest tag ${latest}`)
}

export const source = ofOne('source', 'Show the source of a plugin, file by file', plugins.source, '5', 'has no source')
export const pluginActivity = ofAll(
  'activity',
  'Show what was done to plugins',
  plugins.activity,
  activityParams,
  happenings,
)
export const exportsUnsubscribeConfigs = ofAll(
  'exports-unsubscribe-configs',
  'List the plugins that can unsubscribe persons from exports',
  plugins.exportsUnsubscribeConfigs,
)
export const repository = ofAll('repository', 'List the plugins that can be installed', plugins.repository)
