import { defineCommand } from '../../cli/command.ts'
import { noData } from '../../result.ts'
import { resetStore } from '../../sandbox/store/open-store.ts'

export default defineCommand({
  summary: 'Reset the sandbox to its original data',
  details: 'Also repairs one whose file is damaged. Its key stays the same.',
  calls: [],
  args: {},
  options: {},
  examples: ['sandbox reset'],
  async run(_, __, { stateFolder, values, messages }) {
    if (!values.dryRun) await resetStore(stateFolder())
    messages.notice(`The sandbox ${values.dryRun ? 'would be' : 'was'} reset`)
    return { data: noData }
  },
})
