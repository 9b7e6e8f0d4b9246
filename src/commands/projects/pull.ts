import { projects } from '../../api/endpoints.ts'
import { idOf } from '../../api/responses/record-identity.ts'
import { defineCommand, idArgument, optionalArgument } from '../../cli/command.ts'
import { decode, type JsonObject } from '../../json/exact.ts'
import { yamlField } from '../../json/yaml.ts'
import { objectDocument, rowView } from '../../output/views.ts'
import { isSecretName } from '../../secrets/secret-names.ts'
import { escapeControls } from '../../text/escape-controls.ts'
import { fieldProblem } from '../../values/kinds.ts'
import { isUnfilled, projectFields, settingOf } from './settings.ts'

export default defineCommand({
  summary: 'Print the settings of a project as a settings file',
  details:
    'Prints every writable field in a stable order, as YAML (or JSON with -o). Secrets are comments without their values.',
  args: { id: idArgument(optionalArgument('ID', 'id of the project (default: the project in use)'), 'projects') },
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
    // Without what a settings file cannot hold.
    const settings = exportedSettings(record).flatMap(one => ('value' in one ? [[one.field, one.value] as const] : []))
    const exported = { project: decode(id), ...Object.fromEntries(settings) }
    return { data: objectDocument(exported, rowView([], 'project')) }
  },
})

/** A settings file: every writable field in the order of the service's document, secrets as comments. */
export function settingsYaml(id: string, record: JsonObject): string {
  const lines = exportedSettings(record).map(setting =>
    'omitted' in setting ? `# ${setting.field}: ${setting.omitted}\n` : yamlField(setting.field, setting.value),
  )
  return `# Fields that you remove from this file are not changed.\nproject: ${id}\n\n${lines.join('')}`
}

type ExportedSetting = { readonly field: string } & ({ readonly value: unknown } | { readonly omitted: string })

function exportedSettings(record: JsonObject): readonly ExportedSetting[] {
  return [...projectFields].map(([field, kind]) => {
    if (!Object.hasOwn(record, field)) return { field, omitted: 'not on this server' }
    if (isSecretName(field)) return { field, omitted: `\${${field.toUpperCase()}}` }
    const value = settingOf(field, record[field])
    const problem = value === null ? undefined : fieldProblem(field, kind, value)
    if (isUnfilled(value)) return { field, omitted: 'omitted: its value looks like a placeholder' }
    return problem === undefined ? { field, value } : { field, omitted: `omitted: ${escapeControls(problem)}` }
  })
}
