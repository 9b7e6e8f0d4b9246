import { defineCommand } from '../cli/command.ts'
import { describeTree } from '../cli/describe.ts'
import { listDocument } from '../output/own-document.ts'
import { integer, json, text } from '../values/kinds.ts'
import { listOf } from '../values/lists.ts'

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
  args: {},
  fields,
  options: {},
  examples: ['commands -o json # All of it, as JSON', "commands --query '[].words' # Only the words"],
  async run() {
    const { tree } = await import('./tree.ts')
    const rows = await describeTree(tree)
    return {
      document: listDocument(rows, { columns: ['words', 'summary'], fields: Object.keys(fields), id: 'words' }),
    }
  },
})
