import { defineCommand } from '../../cli/command.ts'
import { resetSandbox } from '../../sandbox/open.ts'
import { notice } from './open.ts'

export default defineCommand({
  summary: 'Put the sandbox back as it was when it was new',
  details: 'Also mends one whose file is damaged. Its key stays the same.',
  calls: [],
  args: {},
  options: {},
  examples: ['sandbox reset'],
  async run(_, __, { stateFolder, messages }) {
    messages.say(notice)
    await resetSandbox(stateFolder())
    messages.notice('The sandbox is as new')
    return { text: '' }
  },
})
