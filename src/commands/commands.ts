import { manyArguments } from '../cli/arguments.ts'
import { defineCommand } from '../cli/command.ts'
import { UsageError } from '../errors.ts'
import { listDocument } from '../output/document.ts'
import { rowView } from '../output/views.ts'
import { read } from '../result.ts'
import { integer, json, text } from '../values/kinds.ts'
import { listOf } from '../values/lists.ts'
import { describeProgram } from './commands/describe.ts'

const fields = {
  words: text,
  summary: text,
  details: text,
  arguments: json,
  options: json,
  endpoints: json,
  examples: listOf(text),
  exits: listOf(integer),
}

export default defineCommand({
  summary: 'List every command, its options and exit codes, as data',
  calls: [],
  args: {
    words: manyArguments('WORD', 'words of a group or a command; left out: all, and the options of every command'),
  },
  fields,
  options: {},
  examples: ['commands -o json # All of it, as JSON', 'commands persons list -o json # One command'],
  async run({ words: typed }) {
    const { tree } = await import('./tree.ts')
    const path = typed.join(' ')
    const rows = (await describeProgram(tree)).filter(
      ({ words }) => path === '' || words === path || words.startsWith(`${path} `),
    )
    if (rows.length === 0)
      throw new UsageError('There is no command with these words', { hint: 'See analytics commands' })
    const view = { ...rowView(Object.keys(fields), 'words'), columns: ['words', 'summary'] }
    return read({ document: listDocument(rows, view) })
  },
})
