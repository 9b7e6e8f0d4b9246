import { defineCommand } from '../../cli/command.ts'
import { recordDocument } from '../../output/document.ts'
import { views } from '../../output/views.ts'
import { onePerson, personNamed, readPerson } from './find-person.ts'

export default defineCommand({
  summary: 'Show one person',
  details: 'By id, by one of the distinct ids, or by e-mail. A distinct id is never taken for a person id.',
  ...onePerson,
  examples: [
    'persons get 1 # By id',
    'persons get ada@example.com # By e-mail',
    'persons get --distinct-id ada -o json # By distinct id, as JSON',
  ],
  async run({ id }, options, context) {
    const named = personNamed(id, options)
    const person = await readPerson(await context.connect(), named)
    return { data: recordDocument(person, views.person) }
  },
})
