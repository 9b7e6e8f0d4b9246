import { optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { option } from '../../cli/options.ts'
import { views } from '../../output/views.ts'
import { read } from '../../result.ts'
import { text } from '../../values/kinds.ts'
import { checkPerson, personNamed, readPerson } from './find-person.ts'

export default defineCommand({
  summary: 'Show one person',
  details: 'By id, by one of the distinct ids, or by e-mail. A distinct id is never taken for a person id.',
  args: { id: { ...optionalArgument('ID', 'id of the person, or an e-mail'), check: checkPerson } },
  options: {
    distinctId: option(text, 'ID', 'the person with this distinct id'),
    email: option(text, 'EMAIL', 'the person with exactly this e-mail'),
  },
  examples: [
    'persons get 1 # By id',
    'persons get ada@example.com # By e-mail',
    'persons get --distinct-id ada -o json # By distinct id, as JSON',
  ],
  async run({ id }, option, context) {
    const named = personNamed(id, option)
    const person = await readPerson(await context.connect(), named)
    return read({ document: { shape: 'object', batches: [[person]], view: views.person } })
  },
})
