import { defineCommand } from '../../cli/command.ts'
import { bulkOptions, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Delete plugins of the organization',
  args: { ids: targetIds },
  options: { ...bulkOptions },
  examples: ['plugins delete 2 --yes'],
  run: ({ ids }, options, context) => startChange(context, { command: 'plugins delete', values: {} }, ids, options),
})
