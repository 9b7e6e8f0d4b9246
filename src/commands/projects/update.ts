import { effectOf, removalBy } from '../../api/effects.ts'
import { projects } from '../../api/endpoints.ts'
import { idArgument, optionalArgument } from '../../cli/arguments.ts'
import { defineCommand } from '../../cli/command.ts'
import { views } from '../../output/views.ts'
import { passChecks, singleRequest } from '../../runs/checks.ts'
import { sendWrite } from '../../runs/write-result.ts'
import { fieldOptions, freeOptions, neededBodyOf } from '../writing/body.ts'

export default defineCommand({
  summary: 'Change settings of a project',
  details: 'If the service accepts a field but does not apply it, the exit code is 5.',
  args: { id: idArgument(optionalArgument('ID', 'id of the project (default: the project in use)'), 'projects') },
  options: { ...fieldOptions(projects.update.body), ...freeOptions },
  examples: [
    'projects update 1 --timezone Europe/Berlin --no-anonymize-ips # Change two settings',
    'projects update --recording-domains a.org --recording-domains b.org # Replace a list, in the project in use',
    'projects update 1 --set-json primary_dashboard=null # Clear a value',
  ],
  async run({ id: named }, options, context) {
    const body = await neededBodyOf(context.host, projects.update.body, options)
    const requests = [{ ...projects.update, ...effectOf(projects.update, body) }]
    const scope = named === undefined ? 'project_id' : undefined
    const deletes = removalBy(projects.update, body) === 'objects' ? 1 : 0
    await passChecks(context, { ...singleRequest, scope, requests, deletes }, 'start')
    const { client, project, serverName } = await context.connect()
    const id = named ?? project()
    const request = client.request(projects.update, { path: { id }, rawBody: body })
    const done = `Changed project ${id} (${serverName})`
    return sendWrite(client, request, { id, done, view: views.project, fields: body }, context)
  },
})
