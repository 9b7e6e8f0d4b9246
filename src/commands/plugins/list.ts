import { defineCommand } from '../../cli/command.ts'
import { collections } from '../../operations/collections.ts'
import { listCollection, paging } from '../reading/paging.ts'

export default defineCommand({
  summary: 'List the plugins of the organization',
  args: {},
  options: paging,
  examples: ['plugins list # Show the first page', 'plugins list --all -o json # Export all as JSON'],
  async run(_, options, context) {
    const { organization } = await context.connect()
    const path = { parent_lookup_organization_id: await organization() }
    return listCollection(context, collections.plugins, { path }, options)
  },
})
