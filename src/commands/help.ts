import { defineCommand } from '../cli/command.ts'
import { rootHelp } from '../cli/help.ts'
import { page, widthOf } from '../cli/help-layout.ts'
import { manyArguments } from '../cli/options.ts'
import { type Topic, topics } from '../cli/topics.ts'
import { UsageError } from '../errors.ts'
import { nearest } from '../values/nearest.ts'

const names = Object.keys(topics)
const texts: Readonly<Record<string, Topic>> = topics

/** `help` with the words of a command is the same as its `--help`, and is answered before this. */
export default defineCommand({
  summary: 'Help on a command or a topic',
  details: `The topics are ${names.join(', ')}.`,
  calls: [],
  args: { topic: manyArguments('TOPIC', 'a topic, or the words of a command') },
  options: {},
  examples: ['help exit-codes', 'help bulk', 'help persons list'],
  async run({ topic: [topic, ...more] }, _, { host }) {
    const { tree } = await import('./tree.ts')
    if (topic === undefined) return { text: await rootHelp(tree, widthOf(host.stdout.columns)) }
    if (Object.hasOwn(tree, topic)) {
      throw new UsageError('help comes first on the command line', {
        hint: `See analytics ${[topic, ...more].join(' ')} --help`,
      })
    }
    const found = Object.hasOwn(texts, topic) ? texts[topic] : undefined
    if (found) return { text: page(widthOf(host.stdout.columns), found.parts) }
    const near = nearest(topic, [...names, ...Object.keys(tree)])
    throw new UsageError(`There is no help on ${JSON.stringify(topic)}`, {
      hint: near ? `Did you mean analytics help ${near}?` : `Topics: ${names.join(', ')}`,
    })
  },
})
