import { projects } from '../../api/endpoints.ts'
import { bodyOf, fieldOptions, freeOptions } from '../../cli/body.ts'
import { defineCommand } from '../../cli/command.ts'
import { views } from '../../output/views.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Create a project',
  calls: [projects.create],
  args: {},
  options: { ...fieldOptions(projects.create.body), ...freeOptions },
  examples: ['projects create --name "Hedgehog Press" --timezone Europe/Berlin'],
  async run(_, options, context) {
    const body = (await bodyOf(context.host, projects.create.body, options)) ?? {}
    const { client, place } = await context.connect()
    const request = client.request(projects.create, { path: {}, rawBody: body })
    return write(client, request, { id: '', done: `Created a project (${place})`, view: views.project }, context)
  },
})
