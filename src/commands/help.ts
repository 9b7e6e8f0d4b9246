import { manyArguments } from '../cli/arguments.ts'
import { defineCommand } from '../cli/command.ts'
import { resourceFields } from '../cli/documented-fields.ts'
import { helpPage, helpStyle, type Topic } from '../cli/help-layout.ts'
import { UsageError } from '../errors.ts'
import { colored } from '../messages/colored.ts'
import type { Result } from '../result.ts'
import { nearest } from '../text/nearest.ts'
import { resources, topics } from './help/topics.ts'

const names = Object.keys(topics)
const texts: Readonly<Record<string, Topic>> = topics

/** All other forms of help are answered earlier, as `--help`. */
export default defineCommand({
  summary: 'Help on a command or a topic',
  details: `The topics are ${names.join(', ')}.`,
  calls: [],
  args: { topic: manyArguments('TOPIC', 'a topic, or the words of a command') },
  options: {},
  examples: [
    'help exit-codes # A topic',
    'help bulk # Another topic',
    'help fields persons # The fields of a resource',
    'help persons list # A command',
  ],
  async run({ topic: [topic = '', ...more] }, _, { host, values }) {
    if (topic === 'fields' && more[0] !== undefined) return fieldsHelp(more[0])
    const found = Object.hasOwn(texts, topic) ? texts[topic] : undefined
    if (found) {
      const style = helpStyle(host.stdout.columns, colored(host.stdout.isTerminal, values, host))
      return { data: { text: helpPage(style, found.parts) } }
    }
    const { tree } = await import('./tree.ts')
    const near = nearest(topic, [...names, ...Object.keys(tree)])
    throw new UsageError(`There is no help on ${JSON.stringify(topic)}`, {
      hint: near ? `Did you mean analytics help ${near}?` : `Topics: ${names.join(', ')}`,
    })
  },
})

function fieldsHelp(word: string): Result {
  const resource = Object.hasOwn(resources, word) ? resources[word] : undefined
  if (resource) return resourceFields(resource)
  const near = nearest(word, Object.keys(resources))
  throw new UsageError(`There is no list of the fields of ${JSON.stringify(word)}`, {
    hint: near ? `Did you mean analytics help fields ${near}?` : `Give one of ${Object.keys(resources).join(', ')}`,
  })
}
