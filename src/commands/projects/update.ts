import { projects } from '../../api/endpoints.ts'
import { bodyOf, fieldOptions, freeOptions } from '../../cli/body.ts'
import { defineCommand } from '../../cli/command.ts'
import { optionalArgument } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { views } from '../../output/views.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Change settings of a project',
  details:
    'The answer is compared with what was asked: a field that the service accepted and did not apply is named, and the exit code is 5.',
  calls: [projects.update],
  args: { id: optionalArgument('ID', 'id of the project; left out: the project in use') },
  options: { ...fieldOptions(projects.update.body), ...freeOptions },
  examples: [
    'projects update 1 --timezone Europe/Berlin --no-anonymize-ips',
    'projects update --app-urls https://a.example.com --app-urls https://b.example.com',
    'projects update 1 --set-json primary_dashboard=null',
  ],
  async run({ id: named }, options, context) {
    const body = await bodyOf(context.host, projects.update.body, options)
    if (body === undefined)
      throw new UsageError('Nothing to change was given', { hint: 'See analytics projects update --help' })
    const { client, project, place } = await context.connect()
    const id = named ?? project()
    const request = client.request(projects.update, { path: { id }, rawBody: body })
    const wanted = body as Readonly<Record<string, unknown>>
    return write(
      client,
      request,
      { id, done: `Accepted for project ${id} (${place})`, view: views.project, wanted },
      context,
    )
  },
})
