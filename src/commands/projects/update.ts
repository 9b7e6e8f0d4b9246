import { projects } from '../../api/endpoints.ts'
import { defineCommand, idArgument, optionalArgument } from '../../cli/command.ts'
import { collections } from '../../operations/collections.ts'
import { bodyOf, bodyOptions, requireValues } from '../writing/body.ts'
import { sendSingle } from '../writing/start-change.ts'

export default defineCommand({
  summary: 'Change settings of a project',
  args: { id: idArgument(optionalArgument('ID', 'id of the project (default: the project in use)'), 'projects') },
  options: bodyOptions(projects.update.body),
  examples: [
    'projects update 1 --timezone Europe/Berlin --no-anonymize-ips # Change two settings',
    'projects update --recording-domains a.org --recording-domains b.org # Replace a list, in the project in use',
    'projects update 1 --set-json primary_dashboard=null # Clear a value',
  ],
  async run(args, options, context) {
    const body = requireValues(await bodyOf(context.host, projects.update.body, options))
    const id = args.id ?? (await context.connect()).project()
    return sendSingle(context, projects.update, body, { of: collections.projects, id, done: `Changed project ${id}` })
  },
})
