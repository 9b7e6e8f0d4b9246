import { persons } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { givenJson } from '../../cli/given.ts'
import { argument, option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { encode } from '../../json/exact.ts'
import { views } from '../../output/views.ts'
import { text } from '../../values/kinds.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: 'Set one property of a person',
  calls: [persons.updateProperty],
  args: { id: argument('ID', 'id of the person') },
  options: {
    key: option(text, 'KEY', 'name of the property'),
    value: option(text, 'TEXT', 'its value, as text'),
    valueJson: option(text, 'JSON', 'its value, as JSON or @file: anything but null'),
    properties: option(text, 'JSON', 'the documented body field, as JSON or @file'),
  },
  examples: [
    'persons update-property 3 --key plan --value pro',
    'persons update-property 3 --key seats --value-json 12',
  ],
  async run({ id }, options, context) {
    const { host } = context
    const key = named(options.key)
    const value = await givenValue(host, options)
    const properties =
      options.properties === undefined ? undefined : await givenJson(host, '--properties', options.properties)
    const { client, project, place } = await context.connect()
    const project_id = project()
    const request = client.request(persons.updateProperty, {
      path: { project_id, id },
      // The document has the service read these from the query; real servers read the body. Both get both.
      query: { key, value: typeof value === 'string' ? value : encode(value) },
      rawBody: { key, value, properties },
    })
    const done = `Accepted for person ${id} of project ${project_id} (${place})`
    return write(client, request, { id, done, view: views.person }, context)
  },
})

function named(key: string | undefined): string {
  if (key) return key
  throw new UsageError('Which property?', { hint: 'Give --key' })
}

async function givenValue(
  host: Host,
  options: { readonly value: string | undefined; readonly valueJson: string | undefined },
) {
  if ((options.value === undefined) === (options.valueJson === undefined)) {
    throw new UsageError('Which value?', { hint: 'Give --value or --value-json, one of them' })
  }
  if (options.valueJson === undefined) return options.value
  const value = await givenJson(host, '--value-json', options.valueJson)
  if (value === null) {
    throw new UsageError('A property cannot be set to null', {
      hint: 'Take it away with analytics persons delete-property',
    })
  }
  return value
}
