import { projects } from '../../api/endpoints.ts'
import { conflicting, defineCommand } from '../../cli/command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { JsonObject } from '../../json/exact.ts'
import { collections } from '../../operations/collections.ts'
import { bodyOf, bodyOptions, freeOptions } from '../writing/body.ts'
import { sendSingle } from '../writing/start-change.ts'
import { settingsFiles } from './diff.ts'
import { readSettings, refuseUnknownFields } from './settings.ts'

const file = { ...settingsFiles.options.file, summary: 'start from this settings file, YAML or JSON (- is stdin)' }

export default defineCommand({
  summary: 'Create a project',
  details: 'Options override the settings in the file.',
  options: { ...bodyOptions(projects.create.body), file, body: conflicting(freeOptions.body, 'file') },
  examples: [
    'projects create --name "Hedgehog Press" --timezone Europe/Berlin # Give settings as options',
    'projects create -f settings.yaml --name "Hedgehog Press" # Give settings in a file',
  ],
  async run(_, { file, ...options }, context) {
    const fields = (await bodyOf(context.host, projects.create.body, options)) ?? {}
    const body = { ...(file.length > 0 ? await settingsIn(context, file) : {}), ...fields }
    return sendSingle(context, projects.create, body, { of: collections.projects, id: '', done: 'Created a project' })
  },
})

/** Ignores the `project` of a file. */
async function settingsIn({ host, messages }: Context, files: readonly string[]): Promise<JsonObject> {
  const [first, second] = await readSettings(host, files, messages.print)
  if (second) throw new UsageError('The files are for several projects', { hint: 'Use the files of one project' })
  const settings = first?.settings ?? []
  refuseUnknownFields(settings, messages.print, [])
  return Object.fromEntries(settings.map(({ field, value }) => [field, value]))
}
