import { plugins } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { change } from '../change.ts'
import { canary, ids, many } from '../targets.ts'

export default defineCommand({
  summary: 'Remove plugins from the organization',
  calls: [plugins.delete, plugins.get],
  args: { ids },
  options: { ...many, ...canary },
  examples: ['plugins delete 2 --yes'],
  run: ({ ids }, options, context) => change(context, { command: 'plugins delete' }, ids, options),
})
