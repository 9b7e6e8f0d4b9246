import { persons } from '../../api/endpoints.ts'
import { bodyOf, freeOptions } from '../../cli/body.ts'
import { defineCommand } from '../../cli/command.ts'
import { givenJson } from '../../cli/given.ts'
import { argument, option } from '../../cli/options.ts'
import { UsageError } from '../../errors.ts'
import type { Host } from '../../host.ts'
import { views } from '../../output/views.ts'
import { text } from '../../values/kinds.ts'
import { write } from '../written.ts'

export default defineCommand({
  summary: "Set some of a person's properties",
  details:
    'Properties that are not named stay as they are. A server may answer at once and apply the change seconds later.',
  calls: [persons.update],
  args: { id: argument('ID', 'id of the person') },
  options: {
    ...freeOptions,
    properties: option(text, 'JSON', 'the properties as one object: JSON or @file'),
  },
  examples: ['persons update 3 --set plan=pro', 'persons update 3 --set-json seats=12 --set-json vip=true'],
  async run({ id }, options, context) {
    const body = await propertiesBody(context.host, options)
    const { client, project, place } = await context.connect()
    const project_id = project()
    const request = client.request(persons.update, { path: { project_id, id }, rawBody: body })
    const done = `Accepted for person ${id} of project ${project_id} (${place})`
    return write(client, request, { id, done, view: views.person }, context)
  },
})

interface Given {
  readonly set: readonly (readonly [string, string])[]
  readonly setJson: readonly (readonly [string, string])[]
  readonly body: string | undefined
  readonly properties: string | undefined
}

/** `--set plan=pro` sets a property: the body is `{"properties":{"plan":"pro"}}`. */
async function propertiesBody(host: Host, options: Given): Promise<unknown> {
  const { properties, ...free } = options
  const fields = await bodyOf(host, {}, free)
  if (properties !== undefined) {
    if (fields !== undefined) throw new UsageError('--properties is all of the properties: nothing can stand beside it')
    return { properties: await givenJson(host, '--properties', properties) }
  }
  if (fields === undefined) throw new UsageError('Nothing to set was given', { hint: 'Give --set key=value' })
  return options.body === undefined ? { properties: fields } : fields
}
