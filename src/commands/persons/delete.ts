import { defineCommand, flag, inSection, option } from '../../cli/command.ts'
import { between } from '../../values/kinds.ts'
import { bulkOptions, personTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Delete persons',
  details:
    'Looks up all persons before it deletes the first one. The run is a job that you can resume. Events are kept unless you give --delete-events: then the service deletes them on the next Sunday at 05:00 UTC, unless its operator changed the schedule.',
  args: { ids: targetIds },
  options: {
    deleteEvents: flag('also delete all events of the persons'),
    ...bulkOptions,
    ...inSection('Run', {
      batch: option(between(2, 1000), 'N', 'delete 2 to 1,000 persons per request, by UUID'),
    }),
    ...personTargets,
  },
  examples: [
    'persons delete 3 --yes # Delete one person without a prompt',
    'persons delete 3 4 --delete-events --dry-run # Show what would be sent',
    'persons delete --property plan=trial --max 100 --receipt r.json -y # Delete all that match, at most 100',
  ],
  run({ ids }, options, context) {
    const { deleteEvents, batch } = options
    return startChange(context, { command: 'persons delete', values: { deleteEvents, batch } }, ids, options)
  },
})
