import { defineCommand } from '../../cli/command.ts'
import { resetSandbox } from '../../sandbox/open.ts'

export default defineCommand({
  summary: 'Reset the sandbox to its original data',
  details: 'Also repairs one whose file is damaged. Its key stays the same.',
  calls: [],
  args: {},
  options: {},
  examples: ['sandbox reset'],
  async run(_, __, { stateFolder, messages }) {
    await resetSandbox(stateFolder())
    messages.notice('The sandbox was reset')
    return { text: '' }
  },
})
