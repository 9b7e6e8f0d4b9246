import { defineCommand } from '../../cli/command.ts'
import { collections } from '../../operations/collections.ts'
import { views } from '../../output/views.ts'
import { listCollection, paging } from '../reading/paging.ts'

export default defineCommand({
  summary: 'List projects',
  details: 'A key that is restricted to one project may not be allowed to list them.',
  args: {},
  options: paging,
  examples: ['projects list # The projects that the key may see', 'projects list -o ids # Their ids, one a line'],
  run: (_, options, context) =>
    listCollection(context, { ...collections.projects, view: views.projectListItem }, { path: {} }, options),
})
