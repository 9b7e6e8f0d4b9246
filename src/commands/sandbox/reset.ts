import { defineCommand } from '../../cli/command.ts'
import { openOwn } from './open.ts'

export default defineCommand({
  summary: 'Put the sandbox back as it was when it was new',
  calls: [],
  args: {},
  options: {},
  examples: ['sandbox reset'],
  async run(_, __, context) {
    const sandbox = await openOwn(context)
    try {
      sandbox.reset()
    } finally {
      sandbox.close()
    }
    context.messages.notice('The sandbox is as new')
    return { text: '' }
  },
})
