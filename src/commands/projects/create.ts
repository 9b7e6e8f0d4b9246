import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { JsonObject } from '../../json/exact.ts'
import type { Item } from '../../json/item.ts'
import { itemOf } from '../../json/read-item.ts'
import { mapItems } from '../../output/document.ts'
import { views } from '../../output/views.ts'
import type { Result } from '../../result.ts'
import { refuseSameFile } from '../../runs/checks/same-file.ts'
import { sendWrite } from '../../runs/write-result.ts'
import { bodyOf, fieldOptions, freeOptions } from '../writing/body.ts'
import { connectForSettings } from './settings/connect-for-settings.ts'
import { allowVariables, fileOptions, noSettings } from './settings/settings-options.ts'

export default defineCommand({
  summary: 'Create a project',
  details: 'With -f it starts from a settings file; options win over what is in the file.',
  calls: [projects.create],
  args: {},
  options: { ...fieldOptions(projects.create.body), ...fileOptions, ...freeOptions },
  examples: [
    'projects create --name "Hedgehog Press" --timezone Europe/Berlin # With settings as options',
    'projects create -f settings.yaml --name "Hedgehog Press" # With settings from a file',
  ],
  async run(_, { file, env, ...options }, context) {
    const fields = (await bodyOf(context.host, projects.create.body, options)) ?? {}
    if (file.length > 0 && options.body !== undefined) {
      throw new UsageError('--body is the whole body, and cannot be combined with -f', {
        hint: 'Leave one of them out',
      })
    }
    const variables = allowVariables(context, env)
    refuseSameFile(context, {}, file)
    const { values, fromVariables } = file.length === 0 ? noSettings : await readFiles(context, file, variables)
    // Options replace fields of the file, including fields with a variable.
    const used = [...fromVariables].filter(field => !Object.hasOwn(fields, field))
    return create(context, { ...Object.fromEntries(values), ...fields }, { variables, fromVariables: new Set(used) })
  },
})

async function readFiles(context: Context, files: readonly string[], allowed: readonly string[]) {
  const { readSettings } = await import('../../settings/read.ts')
  const { host, messages } = context
  const variables = { env: host.env, allowed }
  const [state = noSettings] = await readSettings(host, [files], {
    variables,
    undocumented: false,
    chosen: () => true,
    messages,
    shared: new Set(),
  })
  return state
}

interface FromEnvironment {
  /** Those that `--env` names. */
  readonly variables: readonly string[]
  readonly fromVariables: ReadonlySet<string>
}

async function create(
  context: Context,
  body: JsonObject,
  { variables, fromVariables }: FromEnvironment,
): Promise<Result> {
  const { values, secrets } = context
  const desired = { values: new Map(Object.entries(body)) }
  const { client, serverName } = await connectForSettings(context, [{ desired }], variables)
  const request = client.request(projects.create, { path: {}, rawBody: body })
  const written = { id: '', done: `Created a project (${serverName})`, view: views.project, fields: body }
  if (variables.length === 0) return sendWrite(client, request, written, context)
  const { maskVariables } = await import('../../settings/mask-changes.ts')
  const masking = { fromVariables, hide: secrets.hide }
  const mask = (item: Item) => (values.reveal ? item : maskVariables(item, masking))
  const shownBody = mask(itemOf(body)).text
  const result = await sendWrite(client, { ...request, shownBody }, written, context)
  const { data } = result
  return 'document' in data ? { ...result, data: { ...data, document: mapItems(data.document, mask) } } : result
}
