import { projects } from '../../api/endpoints.ts'
import { idOf } from '../../api/responses/record-identity.ts'
import { defineCommand, idArgument, optionalArgument } from '../../cli/command.ts'
import { objectDocument, rowView } from '../../output/views.ts'
import { settingsObject, settingsYaml } from '../../project-settings/export.ts'

export default defineCommand({
  summary: 'Print the settings of a project as a settings file',
  details:
    'Prints every writable field in a stable order, as YAML (or JSON with -o). Secrets are comments without their values.',
  args: { id: idArgument(optionalArgument('ID', 'id of the project (default: the project in use)'), 'projects') },
  options: {},
  examples: [
    'projects pull 1 # Print the settings',
    'projects pull 1 -o json --fields timezone,app_urls # Print some of them as JSON',
  ],
  async run({ id: named }, _, context) {
    const { client, project } = await context.connect()
    const { value: record } = await client.record(projects.get, { path: { id: named ?? project() } })
    const id = idOf(record, 'projects')
    const { output, fields: chosen } = context.config.options
    if (output === undefined && chosen === undefined) return { data: { text: settingsYaml(id, record) } }
    return { data: objectDocument(settingsObject(id, record), rowView([], 'project')) }
  },
})
