import { persons } from '../../api/endpoints.ts'
import { holdsFirstIds } from '../../api/select-rows.ts'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { checkServerFormat, serverFormatOption, untouchedRecord } from '../../cli/server-format.ts'
import { views } from '../../output/views.ts'
import { text } from '../../values/kinds.ts'
import { showRecord } from '../show-object.ts'
import { findNamedPerson, onePerson, personArgument } from './find-person.ts'

export default defineCommand({
  summary: 'Show one person',
  details: 'By id, by one of the distinct ids, or by e-mail. A distinct id is never taken for a person id.',
  calls: [persons.get, persons.list],
  args: { id: personArgument },
  options: {
    distinctId: option(text, 'ID', 'the person with this distinct id'),
    email: option(text, 'EMAIL', 'the person with exactly this e-mail'),
    serverFormat: serverFormatOption(),
  },
  examples: [
    'persons get 1 # By id',
    'persons get ada@example.com # By e-mail',
    'persons get --distinct-id ada -o json # By distinct id, as JSON',
  ],
  async run(args, { serverFormat, ...options }, context) {
    checkServerFormat(context, { serverFormat })
    const { id, distinctId, email } = onePerson({ ...args, ...options })
    const { client, project } = await context.connect()
    const path = { project_id: project() }
    const inFormat = (id: string) =>
      untouchedRecord(
        client,
        client.request(persons.get, { path: { ...path, id }, query: { format: serverFormat } }),
        id,
      )
    if (id !== undefined) {
      if (serverFormat === undefined) return showRecord(client, persons.get, { ...path, id }, views.person)
      return inFormat(id)
    }
    const { id: found, row, record } = await findNamedPerson({ client, project }, { email, distinctId })
    if (serverFormat !== undefined) return inFormat(found)
    const item = holdsFirstIds(row) ? await record() : row
    return { document: { shape: 'object', batches: [[item]], view: views.person } }
  },
})
