import { defineCommand } from '../../cli/command.ts'
import { flag, inSection, option } from '../../cli/options.ts'
import { between } from '../../values/kinds.ts'
import { bulkOptions, personTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Delete persons',
  details:
    'By id, from a file, by a filter, or all of them. All persons are found before the first is deleted, and the run is a job that can be resumed. With --delete-events the events of the persons are deleted too, on the next Sunday at 05:00 UTC unless the operator of the service changed that; without it they stay.',
  args: { ids: targetIds },
  options: {
    deleteEvents: flag('delete all events of the persons too'),
    ...bulkOptions,
    ...inSection('Run', {
      batch: option(between(2, 1000), 'N', 'N persons a request, 2 to 1,000, by UUID, on newer servers'),
    }),
    ...personTargets,
  },
  examples: [
    'persons delete 3 --yes # One person, without a question',
    'persons delete 3 4 --delete-events --dry-run # See what would be sent, and send nothing',
    'persons delete --property plan=trial --max 100 --receipt r.json -y # All that a filter finds, at most 100',
  ],
  run({ ids }, options, context) {
    const { deleteEvents, batch } = options
    return startChange(context, { command: 'persons delete', values: { deleteEvents, batch } }, ids, options)
  },
})
