import { argument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { refuseCurrentProject } from '../../values/ids.ts'
import { bulkOptions } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'

const { receipt, reason } = bulkOptions

export default defineCommand({
  summary: 'Delete a project with everything in it',
  details: 'At a terminal the name of the project has to be typed.',
  args: { id: argument('ID', 'id of the project, which must be given') },
  options: { receipt, reason },
  examples: [
    'projects delete 2 --dry-run # See what would be sent, and send nothing',
    'projects delete 2 --yes # Without a question',
  ],
  run({ id }, options, context) {
    refuseCurrentProject(id)
    return startChange(context, { command: 'projects delete', values: {} }, [id], options)
  },
})
