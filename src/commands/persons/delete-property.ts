import { persons } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { confirm, refuseUnanswerable } from '../../cli/confirm.ts'
import { givenJson } from '../../cli/given.ts'
import { argument, option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import { views } from '../../output/views.ts'
import { text } from '../../values/kinds.ts'
import { preview } from '../preview.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Take one property away from a person',
  calls: [persons.deleteProperty, persons.get],
  args: { id: argument('ID', 'id of the person') },
  options: {
    key: option(text, 'KEY', 'name of the property'),
    properties: option(text, 'JSON', 'the documented body field, as JSON or @file'),
  },
  examples: ['persons delete-property 3 --key plan --yes'],
  async run({ id }, { key, properties: given }, context) {
    const { host, values } = context
    if (!key) throw new UsageError('Which property?', { hint: 'Give --key' })
    const doing = `Deleting property ${key} of person ${id}`
    refuseUnanswerable(host, values, doing)
    const properties = given === undefined ? undefined : await givenJson(host, '--properties', given)
    const { client, project, place } = await context.connect()
    const path = { project_id: project(), id }
    const where = `project ${path.project_id} (${place})`
    const request = client.request(persons.deleteProperty, {
      path,
      // The document has the service read this from the query; real servers read the body. Both get it.
      query: { $unset: key },
      rawBody: { $unset: key, properties },
    })
    await preview(context, client.request(persons.get, { path }), views.person)
    await confirm(host, values, { doing: `${doing} of ${where}`, answer: 'yes' })
    return write(client, request, { id, done: `Accepted for person ${id} of ${where}`, view: views.person }, context)
  },
})
