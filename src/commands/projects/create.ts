import { projects } from '../../api/endpoints.ts'
import { bodyOf, fieldOptions, freeOptions } from '../../cli/body.ts'
import { defineCommand } from '../../cli/command.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { sendWrite } from '../../operations/write-result.ts'
import { views } from '../../output/views.ts'
import { fileOption } from './file-option.ts'

export default defineCommand({
  summary: 'Create a project',
  details: 'With -f it starts from a settings file; options win over what is in the file.',
  calls: [projects.create],
  args: {},
  options: { ...fieldOptions(projects.create.body), ...fileOption, ...freeOptions },
  examples: [
    'projects create --name "Hedgehog Press" --timezone Europe/Berlin',
    'projects create -f settings.yaml --name "Hedgehog Press"',
  ],
  async run(_, { file, ...options }, context) {
    const fields = await bodyOf(context.host, projects.create.body, options)
    if (file.length > 0 && options.body !== undefined) {
      throw new UsageError('--body is the whole body, and cannot be combined with -f', {
        hint: 'Leave one of them out',
      })
    }
    const body = { ...(await settingsIn(context.host, file)), ...(fields ?? {}) }
    const { client, place } = await context.connect()
    const request = client.request(projects.create, { path: {}, rawBody: body })
    const done = `Created a project (${place})`
    return sendWrite(client, request, { id: '', done, view: views.project, wanted: body }, context)
  },
})

async function settingsIn(host: Host, files: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  if (files.length === 0) return {}
  const { readWanted } = await import('../../settings/read.ts')
  return Object.fromEntries(await readWanted(host, files))
}
