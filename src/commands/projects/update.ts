import { projects } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { bodyOf, fieldOptions, freeOptions, refuseUnclearValues, withAssignments } from '../writing/body.ts'
import { bulkOptions, rowTargets, targetIds } from '../writing/bulk-options.ts'
import { startChange } from '../writing/start-change.ts'
import { givenSources } from '../writing/target-source.ts'

const ids = { ...targetIds, summary: 'ids of the projects; left out: the project in use' }

export default defineCommand({
  summary: 'Change settings of projects',
  details:
    'The answer is compared with what was asked: a field that the service accepted and did not apply is named, and the exit code is 5.',
  calls: [projects.update, projects.get],
  args: { ids },
  options: { ...fieldOptions(projects.update.body), ...freeOptions, ...rowTargets, ...bulkOptions },
  examples: [
    'projects update 1 --timezone Europe/Berlin --no-anonymize-ips # Two settings',
    'projects update --app-urls https://a.example.com --app-urls https://b.example.com # A list, in the project in use',
    'projects update 1 --set-json primary_dashboard=null # Take a value away',
    'projects update 1 2 --week-start-day 1 --backup before.ndjson --yes # Several projects',
  ],
  async run(args, typed, context) {
    const { ids, options } = withAssignments(args.ids, typed)
    const body = await bodyOf(context.host, projects.update.body, options)
    refuseUnclearValues(options.rows, body !== undefined)
    const inUse = async () => (await context.connect()).project()
    // An empty list is intended: it means no targets.
    const named = givenSources(ids, options).length > 0 ? ids : [await inUse()]
    const values = { body: body ?? {}, bodies: undefined }
    return startChange(context, { command: 'projects update', values }, named, options)
  },
})
