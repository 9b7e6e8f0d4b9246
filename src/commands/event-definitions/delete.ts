import { defineCommand } from '../../cli/command.ts'
import { bulkOptions, nameTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Delete event definitions',
  details: 'The service creates the definition again, with a new id, when it sees the event again.',
  args: { ids: targetIds },
  options: { ...nameTargets, ...bulkOptions },
  examples: ['event-definitions delete 534f1026-b04c-4d79-8bd3-3544c4652cec --yes'],
  run: ({ ids }, options, context) =>
    startChange(context, { command: 'event-definitions delete', values: {} }, ids, options),
})
