import { persons } from '../../api/endpoints.ts'
import { manyArguments } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import type { Item } from '../../json/item.ts'
import { sentence } from '../../messages/messages.ts'
import { views } from '../../output/views.ts'
import { read } from '../../result.ts'
import { countOf } from '../../text/grouped.ts'
import { text } from '../../values/kinds.ts'
import { checkServerFormat, serverFormatOption, untouchedRecord } from '../reading/server-format.ts'
import { checkPerson, findNamedPerson, personsNamed, readPerson } from './find-person.ts'

/** Records for which a table chooses the widths of its columns. */
const shownTogether = 20

export default defineCommand({
  summary: 'Show one person or several',
  details:
    'By id, by one of the distinct ids, or by e-mail. A distinct id is never taken for a person id. Of several, those that are there are shown; the exit code is 3 if one is not.',
  calls: [persons.get, persons.list],
  args: { ids: { ...manyArguments('ID', 'ids of persons, or e-mails'), check: checkPerson } },
  options: {
    distinctId: option(text, 'ID', 'the person with this distinct id'),
    email: option(text, 'EMAIL', 'the person with exactly this e-mail'),
    serverFormat: serverFormatOption('; one person only'),
  },
  examples: [
    'persons get 1 # By id',
    'persons get ada@example.com # By e-mail',
    'persons get --distinct-id ada -o json # By distinct id, as JSON',
  ],
  async run({ ids }, { serverFormat, ...option }, context) {
    checkServerFormat(context, { serverFormat })
    const [first, ...others] = personsNamed(ids, option)
    if (serverFormat !== undefined && others.length > 0) {
      throw new UsageError('--server-format shows one person', { hint: 'Leave it out, or give one ID' })
    }
    const reader = await context.connect()
    if (serverFormat !== undefined) {
      const id = first.id ?? (await findNamedPerson(reader, first)).id
      const path = { project_id: reader.project(), id }
      return untouchedRecord(
        reader.client,
        reader.client.request(persons.get, { path, query: { format: serverFormat } }),
        id,
      )
    }
    const view = views.person
    if (ids.length < 2) {
      return read({ document: { shape: 'object', batches: [[await readPerson(reader, first)]], view } })
    }
    let missing = 0
    async function* batches() {
      let found: Item[] = []
      for (const person of [first, ...others]) {
        try {
          found.push(await readPerson(reader, person))
        } catch (error) {
          if (!(error instanceof NotFoundError)) {
            yield found
            throw error
          }
          missing++
          context.messages.fault(sentence(error.message))
        }
        if (found.length < shownTogether) continue
        yield found
        found = []
      }
      yield found
    }
    return read({ document: { shape: 'list', batches: batches(), view } }, () => {
      if (missing === 0) return
      const all = countOf(others.length + 1, 'person', 'persons')
      throw new NotFoundError(`${missing} of ${all} ${missing === 1 ? 'was' : 'were'} not found`)
    })
  },
})
