import { plugins } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { startRun } from '../../runs/start-run.ts'
import { runRequest } from '../run-request.ts'
import { bulkOptions, canary, targetIds } from '../writing/bulk-options.ts'

export default defineCommand({
  summary: 'Delete plugins of the organization',
  calls: [plugins.delete, plugins.get],
  args: { ids: targetIds },
  options: { ...bulkOptions, ...canary },
  examples: ['plugins delete 2 --yes'],
  run: ({ ids }, options, context) =>
    startRun(context, runRequest(context, { command: 'plugins delete', values: {} }, ids, options)),
})
