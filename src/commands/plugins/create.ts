import { effectOf } from '../../api/effects.ts'
import { plugins } from '../../api/endpoints.ts'
import { defineCommand } from '../../cli/command.ts'
import { views } from '../../output/views.ts'
import { passChecks, singleRequest } from '../../runs/checks.ts'
import { sendWrite } from '../../runs/write-result.ts'
import { bodyOf, fieldOptions, freeOptions } from '../writing/body.ts'

export default defineCommand({
  summary: 'Install a plugin',
  details: 'Real servers require a URL unless the plugin type is source. Use --set url=URL.',
  args: {},
  options: { ...fieldOptions(plugins.create.body), ...freeOptions },
  examples: [
    'plugins create --name Tidy --plugin-type source # Add its source later with update-source',
    'plugins create --name Geo --set url=https://example.com/geo # Install from a repository',
  ],
  async run(_, given, context) {
    const rawBody = (await bodyOf(context.host, plugins.create.body, given)) ?? {}
    const requests = [{ ...plugins.create, ...effectOf(plugins.create, rawBody) }]
    const scope = 'parent_lookup_organization_id'
    await passChecks(context, { ...singleRequest, scope, requests }, 'start')
    const { client, organization, serverName } = await context.connect()
    const path = { parent_lookup_organization_id: await organization() }
    const written = {
      id: '',
      done: `Installed a plugin (${serverName})`,
      view: views.plugin,
      fields: rawBody,
    }
    return sendWrite(client, client.request(plugins.create, { path, rawBody }), written, context)
  },
})
