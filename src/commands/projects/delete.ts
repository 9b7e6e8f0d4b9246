import { argument, defineCommand } from '../../cli/command.ts'
import { refuseCurrentProject } from '../../values/ids.ts'
import { bulkOptions } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

const { receipt, reason } = bulkOptions

export default defineCommand({
  summary: 'Delete a project with everything in it',
  details: 'At a terminal, type the name of the project to confirm.',
  args: { id: argument('ID', 'id of the project (required)') },
  options: { receipt, reason },
  examples: [
    'projects delete 2 --dry-run # Show what would be sent',
    'projects delete 2 --yes # Delete without a prompt',
  ],
  run({ id }, options, context) {
    refuseCurrentProject(id)
    return startChange(context, { command: 'projects delete', values: {} }, [id], options)
  },
})
