import { projects } from '../../api/endpoints.ts'
import { idArgument, optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { views } from '../../output/views.ts'
import { read } from '../../result.ts'
import { isSecretName } from '../../secrets/secret-names.ts'
import { settingsItem, settingsYaml, undocumentedFields } from '../../settings/export-settings.ts'
import { chooseFields, fields } from '../../settings/fields.ts'
import { lastingCommandLine, suggest } from '../../suggest-command.ts'
import { countOf } from '../../text/grouped.ts'
import { ownId } from './settings/compare-projects.ts'
import { fieldChoice } from './settings/settings-options.ts'

export default defineCommand({
  summary: 'Write the settings of a project as a settings file',
  details:
    'Every writable field in a stable order, as YAML unless -o is given. Secrets are comments in it, to be taken from a variable; their values are never written.',
  calls: [projects.get],
  args: { id: idArgument(optionalArgument('ID', 'id of the project; left out: the project in use'), 'projects') },
  fields: Object.fromEntries([...fields].filter(([name]) => !isSecretName(name))),
  options: fieldChoice,
  examples: [
    'projects pull 1 # Print the settings',
    'projects pull 1 > settings.yaml # Write them to a file',
    'projects pull 1 --only timezone,app_urls # Only some settings',
  ],
  async run({ id: named }, options, context) {
    const { output, fields: columns } = context.config.typed
    const isChosen = chooseFields(options)
    const chosen = (field: string) => (columns?.split(',').includes(field) ?? true) && isChosen(field)
    const { client, project } = await context.connect()
    const given = named ?? project()
    const item = await client.record(projects.get, { path: { id: given } })
    const id = ownId(given, item)
    const command = lastingCommandLine(context, ['projects', 'diff', id, '-f', 'FILE'])
    const settings = settingsItem(item, chosen)
    const more = undocumentedFields(item, options.undocumented, chosen)
    const document = { shape: 'object', batches: [[settings.item]], view: { ...views.project, fields: [] } } as const
    const text = () => settingsYaml(item, { id, command }, chosen) + more.comments
    return read(output === undefined ? { text } : { document, format: 'json' }, () => {
      const { omitted } = settings
      if (columns === undefined && output !== undefined && omitted.length > 0) {
        context.messages.warn(`Left out: ${omitted.join(', ')}. Without -o they are comments, with the reason`)
      }
      if (more.omitted > 0) {
        const what = countOf(
          more.omitted,
          'field that the service does not document is',
          'fields that the service does not document are',
        )
        context.messages.notice(`${what} left out; --undocumented writes them as comments`)
      }
      const readable = ['json', undefined].includes(output)
      if (!readable || context.host.stdout.isTerminal) return
      suggest(context, ['projects', 'diff', id, '-f', 'FILE'])
    })
  },
})
