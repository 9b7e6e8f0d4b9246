import { defineCommand } from '../../cli/command.ts'
import { collections } from '../../operations/collections.ts'
import { views } from '../../output/views.ts'
import { listCollection, paging } from '../reading/paging.ts'

export default defineCommand({
  summary: 'List projects',
  details: 'A key for one project may not be allowed to list projects.',
  args: {},
  options: paging,
  examples: ['projects list # List the projects of the key', 'projects list -o ids # Print their ids, one per line'],
  run: (_, options, context) =>
    listCollection(context, { ...collections.projects, view: views.projectListItem }, { path: {} }, options),
})
