/** Writes of plugins that take the same fields. */
import { plugins } from '../../api/endpoints.ts'
import { bodyOf, fieldOptions, freeOptions } from '../../cli/body.ts'
import { defineCommand } from '../../cli/command.ts'
import { argument } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { changeTargets } from '../../operations/change-targets.ts'
import { sendWrite } from '../../operations/run/write-result.ts'
import { views } from '../../output/views.ts'

type Fields = Readonly<Record<string, unknown>>

const options = { ...fieldOptions(plugins.update.body), ...freeOptions }
const id = argument('ID', 'id of the plugin')

export const create = defineCommand({
  summary: 'Install a plugin',
  details: 'Real servers require a url unless the plugin type is source: give it with --set url=…',
  calls: [plugins.create],
  args: {},
  options,
  examples: [
    'plugins create --name Tidy --plugin-type source # One whose source follows with update-source',
    'plugins create --name Geo --set url=https://example.com/geo # One from a repository',
  ],
  async run(_, given, context) {
    const rawBody = (await bodyOf(context.host, plugins.create.body, given)) ?? {}
    const { client, organization, place } = await context.connect()
    const path = { parent_lookup_organization_id: await organization() }
    const written = { id: '', done: `Installed a plugin (${place})`, view: views.plugin, fields: rawBody as Fields }
    return sendWrite(client, client.request(plugins.create, { path, rawBody }), written, context)
  },
})

export const update = defineCommand({
  summary: 'Change a plugin',
  details:
    'The answer is compared with what was asked: a field that the service accepted and did not apply is named, and the exit code is 5.',
  calls: [plugins.update],
  args: { id },
  options,
  examples: [
    'plugins update 1 --description "Adds a country" # A text',
    'plugins update 1 --no-is-global # Switch something off',
  ],
  async run(args, given, context) {
    const body = await bodyOf(context.host, plugins.update.body, given)
    if (body === undefined) throw new UsageError('No fields given', { hint: 'See analytics plugins update --help' })
    return changeTargets(context, { command: 'plugins update', values: { body } }, { ids: [args.id], options: {} })
  },
})

export const updateSource = defineCommand({
  summary: 'Change the source of a plugin',
  details:
    'Real servers take each file as a field: --set index.ts=TEXT writes it, --set-json index.ts=null deletes it. What a file holds is sent by --set "index.ts=$(cat index.ts)".',
  calls: [plugins.updateSource],
  args: { id },
  options,
  examples: [`--dialect observed plugins update-source 5 --set 'index.ts=export const name = "Tagger"'`],
  async run(args, given, context) {
    const body = await bodyOf(context.host, plugins.updateSource.body, given)
    if (body === undefined) throw new UsageError('No source given', { hint: 'Give --set FILE=TEXT' })
    const request = { command: 'plugins update-source', values: { body } } as const
    return changeTargets(context, request, { ids: [args.id], options: {} })
  },
})

export const upgrade = defineCommand({
  summary: 'Upgrade a plugin to its latest version',
  calls: [plugins.upgrade],
  args: { id },
  options,
  examples: ['plugins upgrade 4'],
  async run(args, given, context) {
    const body = (await bodyOf(context.host, plugins.upgrade.body, given)) ?? {}
    return changeTargets(context, { command: 'plugins upgrade', values: { body } }, { ids: [args.id], options: {} })
  },
})
