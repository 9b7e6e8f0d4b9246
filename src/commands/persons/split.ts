import { persons } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { confirm, refuseUnanswerable } from '../../cli/confirm.ts'
import { argument, flag, option } from '../../cli/options.ts'
import { checkServerFormat, serverFormat, untouched } from '../../cli/server-format.ts'
import { readJson } from '../../cli/value-source.ts'
import { UsageError } from '../../errors.ts'
import { preview } from '../../operations/preview.ts'
import { sendWrite } from '../../operations/write-result.ts'
import { views } from '../../output/views.ts'
import { text } from '../../values/kinds.ts'

export default defineCommand({
  summary: 'Split a person into one for each distinct id',
  details:
    'The main distinct id keeps the properties. Without one, servers delete the properties for good, so that needs --wipe-properties.',
  calls: [persons.split, persons.get],
  args: { id: argument('ID', 'id of the person') },
  options: {
    mainDistinctId: option(text, 'ID', 'the distinct id that keeps the properties'),
    wipeProperties: flag('delete the properties for good'),
    properties: option(text, 'JSON', 'the properties field of the body, as JSON or @file'),
    serverFormat: option(serverFormat, 'FORMAT', "print the server's own csv or json"),
  },
  examples: ['persons split 55 --main-distinct-id ada --yes', 'persons split 55 --wipe-properties --dry-run'],
  async run({ id }, { mainDistinctId, wipeProperties, properties: given, serverFormat: format }, context) {
    checkServerFormat(context, { serverFormat: format })
    if ((mainDistinctId === undefined) === !wipeProperties) {
      throw new UsageError('Splitting needs to know what happens to the properties', {
        hint: 'Give --main-distinct-id to keep them there, or --wipe-properties to delete them',
      })
    }
    if (mainDistinctId?.trim() === '') {
      throw new UsageError('--main-distinct-id is empty: servers would wipe the properties', {
        hint: 'Check where it comes from',
      })
    }
    const { host, values } = context
    const doing = `Splitting person ${id}${wipeProperties ? ' and wiping the properties for good' : ''}`
    refuseUnanswerable(host, values, doing)
    const properties = given === undefined ? undefined : await readJson(host, '--properties', given)
    const { client, project, place } = await context.connect()
    const path = { project_id: project(), id }
    const where = `project ${path.project_id} (${place})`
    const rawBody = { main_distinct_id: mainDistinctId, properties }
    const request = client.request(persons.split, { path, query: { format }, rawBody })
    await preview(context, client.request(persons.get, { path }), views.person)
    await confirm(host, values, { doing: `${doing} in ${where}`, answer: 'yes' })
    const done = `Split person ${id} of ${where}`
    if (format !== undefined) return untouched(client, request, () => context.messages.notice(done))
    return sendWrite(client, request, { id, done, view: views.person }, context)
  },
})
