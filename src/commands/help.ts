import { manyArguments } from '../cli/arguments.ts'
import { defineCommand } from '../cli/command.ts'
import { helpOn } from '../cli/help.ts'
import { UsageError } from '../errors.ts'
import { nearest } from '../text/nearest.ts'
import { quoteText } from '../values/kinds.ts'
import { topicPage, topics } from './help/topics.ts'

export default defineCommand({
  summary: 'Help on a command or a topic',
  details: `The topics are ${Object.keys(topics).join(', ')}.`,
  args: { words: manyArguments('WORD', 'a topic, or the words of a command') },
  options: {},
  examples: ['help filters # A topic', 'help persons list # A command'],
  async run({ words }) {
    const { tree } = await import('./tree.ts')
    const [first = ''] = words
    const page = words.length === 1 ? topicPage(first) : undefined
    if (page !== undefined) return { data: { text: page } }
    if (words.length === 0 || Object.hasOwn(tree, first)) return { data: { text: await helpOn(words, tree) } }
    const near = nearest(first, [...Object.keys(topics), ...Object.keys(tree)])
    throw new UsageError(`There is no help on ${quoteText(first)}`, {
      hint: near ? `Did you mean analytics help ${near}?` : `Topics: ${Object.keys(topics).join(', ')}`,
    })
  },
})
