import { defineCommand } from '../cli/command.ts'
import { manyArguments } from '../cli/options.ts'
import { exits, UsageError } from '../errors.ts'
import { nearest } from '../values/nearest.ts'

/** `analytics help TOPIC`; `help` with the words of a command is the same as its `--help`, and is answered before this. */
export const topics: Readonly<Record<string, () => string>> = {
  'exit-codes': () =>
    exits
      .map(
        row =>
          `${String(row.code).padStart(3)}  ${row.name.padEnd(13)}${row.when}\n${row.again ? `${' '.repeat(18)}same command again: ${row.again}\n` : ''}`,
      )
      .join(''),
}

export default defineCommand({
  summary: 'Help on a command or a topic: exit-codes',
  calls: [],
  args: { topic: manyArguments('TOPIC', 'a topic, or the words of a command') },
  options: {},
  examples: ['help exit-codes', 'help persons list'],
  async run({ topic: [topic = ''] }) {
    const text = Object.hasOwn(topics, topic) ? topics[topic] : undefined
    if (text) return { text: text() }
    const near = nearest(topic, Object.keys(topics))
    throw new UsageError(`There is no help on ${JSON.stringify(topic)}`, {
      hint: near ? `Did you mean analytics help ${near}?` : `Topics: ${Object.keys(topics).join(', ')}`,
    })
  },
})
