import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { asks, confirm, refuseUnanswerable } from '../../cli/confirm.ts'
import { argument } from '../../cli/options.ts'
import { compile, kindOf, textOf } from '../../json/pick.ts'
import { preview } from '../../operations/preview.ts'
import { sendWrite } from '../../operations/write-result.ts'
import { views } from '../../output/views.ts'

export default defineCommand({
  summary: 'Delete a project with everything in it',
  details: 'At a terminal the name of the project has to be typed.',
  calls: [projects.delete, projects.get],
  args: { id: argument('ID', 'id of the project, which must be given') },
  options: {},
  examples: ['projects delete 2 --dry-run', 'projects delete 2 --yes'],
  async run({ id }, _, context) {
    const { host, values } = context
    refuseUnanswerable(host, values, `Deleting project ${id}`)
    const { client, place } = await context.connect()
    const request = client.request(projects.delete, { path: { id } })
    const reading = client.request(projects.get, { path: { id } })
    await preview(context, reading, views.project)
    if (asks(values)) {
      const item = await client.one(reading)
      const [name] = item ? compile(['name']).pick(item) : []
      const text = name && kindOf(name) === 'string' ? textOf(name).trim() : ''
      const answer = text ? { text, what: 'its name' } : { text: id, what: 'its id' }
      await confirm(host, values, { doing: `Deleting project ${id} (${place}) with everything in it`, answer })
    }
    return sendWrite(client, request, { id, done: `Deleted project ${id} (${place})`, view: views.project }, context)
  },
})
