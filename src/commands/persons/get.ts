import { defineCommand } from '../../cli/command.ts'
import { recordDocument, views } from '../../output/views.ts'
import { onePerson, readPerson, requirePerson } from './find-person.ts'

export default defineCommand({
  summary: 'Show one person',
  details: 'Finds the person by id, email or distinct id.',
  ...onePerson,
  examples: [
    'persons get 1 # By id',
    'persons get ada@example.com # By email',
    'persons get --distinct-id ada -o json # By distinct id, as JSON',
  ],
  async run({ id }, options, context) {
    const named = requirePerson(id, options)
    const person = await readPerson(await context.connect(), named)
    return { data: recordDocument(person, views.person) }
  },
})
