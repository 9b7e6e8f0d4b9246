import { defineCommand } from '../cli/command.ts'
import { describeTree } from '../cli/describe.ts'

const columns = ['words', 'summary']

export default defineCommand({
  summary: 'List every command, its options and exit codes, as data',
  calls: [],
  args: {},
  options: {},
  examples: ['commands -o json # All of it, as JSON', "commands --query '[].words' # Only the words"],
  async run() {
    const { tree } = await import('./tree.ts')
    const rows = await describeTree(tree)
    return {
      document: {
        shape: 'list',
        batches: [rows.map(row => Buffer.from(JSON.stringify(row)))],
        view: {
          columns,
          fields: ['words', 'summary', 'details', 'arguments', 'options', 'endpoints', 'examples', 'exits'],
          id: 'words',
        },
      },
    }
  },
})
