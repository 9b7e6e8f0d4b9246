import { deletesObjects, rawEffectOf, refuseMisleading } from '../api/effects.ts'
import { documentedRequest, parameterIn, projects } from '../api/endpoints.ts'
import { argument, defineCommand, flag, refuseBeside, repeated } from '../cli/command.ts'
import { UsageError } from '../errors.ts'
import { undocumented } from '../output/views.ts'
import { needsPrompt, type PlannedWrite, passChecks, singleRequest } from '../runs/checks.ts'
import { nameToType, promptForConfirmation } from '../runs/confirm.ts'
import { refuseCurrentProject } from '../values/ids.ts'
import { assignment } from '../values/kinds.ts'
import { resultOfList } from './paging.ts'
import { freeOptions, jsonBodyOf } from './writing/body.ts'

export default defineCommand({
  summary: 'Send any request and print the response',
  details:
    'Safety levels, dry runs and prompts work as for every command. A request that is neither documented nor GET counts as a delete.',
  args: {
    method: { ...argument('METHOD', 'GET, POST, PUT, PATCH or DELETE'), check: methodOf },
    path: argument('PATH', 'path; {project} and {organization} are filled in'),
  },
  options: {
    param: repeated(assignment, 'KEY=VALUE', 'add a query parameter'),
    field: repeated(assignment, 'KEY=VALUE', 'set a field, by its documented type or as text'),
    body: freeOptions.body,
    paginate: flag('read all pages and print one flat array'),
  },
  examples: [
    'api GET /api/projects/{project}/persons/ --param search=ada@ # Read with a query parameter',
    'api GET /api/projects/{project}/persons/ --paginate # Read all pages',
    'api PATCH /api/projects/{project}/ --field timezone=Europe/Berlin # Change a field',
    'api DELETE /api/projects/{project}/persons/3/ --yes # Delete without a prompt',
  ],
  async run({ method: typed, path: typedPath }, { param, field, body: whole, paginate }, context) {
    const method = methodOf(typed)
    const { template, query } = addressIn(typedPath)
    const row = documentedRequest(method, template)
    const body = await jsonBodyOf(context.host, row?.body ?? {}, { set: field, setJson: [], body: whole }, '--field')
    const params = [...query, ...param]
    refuseMisleading(params, body)
    const write = { method, ...rawEffectOf(method, template, body) }
    const isRead = write.effect === 'read'
    if (method === 'GET' && body !== undefined) {
      throw new UsageError('GET takes no body', { hint: 'Use --param for query parameters' })
    }
    if (!isRead) refuseBeside(`${method} is not a read`, { paginate }, 'Remove --paginate')
    const { fields } = context.config.options
    const hint = 'Use --paginate to print the items of a list'
    if (!paginate) refuseBeside('api prints the response as it is', { fields }, hint)
    const connection = await context.connect()
    const { client, serverName } = connection
    const path = template.replaceAll('{project}', connection.project)
    const id = parameterIn(path, row, 'id')
    if (row === projects.delete) refuseCurrentProject(id)
    const description = `${method} ${path} (${serverName})`
    const knownDeletes = row && deletesObjects(row, body) ? 1 : 0
    const plan: PlannedWrite = {
      ...singleRequest,
      scope: template.includes('{organization}') ? 'parent_lookup_organization_id' : undefined,
      requests: [write],
      deletes: row || isRead ? knownDeletes : Number.POSITIVE_INFINITY,
      proposal: () => (write.destroys ? description : undefined),
      async confirm() {
        if (!write.destroys || !needsPrompt(context)) return
        const project = row === projects.delete ? await client.record(projects.get, { path: { id } }) : undefined
        await promptForConfirmation(context, description, project && nameToType(project, id))
      },
    }
    await passChecks(context, plan, 'start')
    const organization = path.includes('{organization}') ? await connection.organization() : '@current'
    const fullPath = path.replaceAll('{organization}', organization)
    const request = client.raw(method, fullPath, params, body)
    if (paginate) {
      return { ...(await resultOfList(context, request, { all: true }, { view: undocumented })), format: 'json' }
    }
    await passChecks(context, plan, 'confirm')
    const bytes = (await client.lazyResponse(request)).body
    const end = () => {
      if (!isRead && bytes.length === 0) context.messages.notice(`${description}: done, the response has no body`)
    }
    return { data: { bytes }, end }
  },
})

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function methodOf(typed: string): string {
  const method = typed.toUpperCase()
  if (methods.includes(method)) return method
  throw new UsageError(`${JSON.stringify(typed)} is not a method`, {
    hint: typed.includes('/') ? `Did you mean analytics api GET ${typed}?` : `Use one of ${methods.join(', ')}`,
  })
}

/**
 * The template begins and ends with a slash, like all paths of the service. Throws `UsageError` for a path that a server or
 * proxy can read differently from the guards.
 */
function addressIn(typed: string) {
  const [path = '', query = ''] = typed.split(/\?(.*)/s)
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/')
  if (segments.includes('')) {
    throw new UsageError('The path has an empty part', {
      hint: 'Use a path like /api/projects/, below the base URL. Is a shell variable empty?',
    })
  }
  // `%25` is refused too: some servers decode twice.
  const isAmbiguous = /[\\#;\s\p{Cc}]|%([01].|7f|2e|2f|3b|5c|25|(?![\da-f]{2}))/iu.test(path)
  if (isAmbiguous || segments.some(segment => /^\.{1,2}$/.test(segment))) {
    throw new UsageError(`${JSON.stringify(path)} is not a safe path`, {
      hint: 'Leave out . and .., encoded slashes, dots, percent signs and control characters, backslashes, ;, # and white space',
    })
  }
  const placeholder = segments.find(one => /[{}]/.test(one) && one !== '{project}' && one !== '{organization}')
  if (placeholder === undefined) return { template: `/${segments.join('/')}/`, query: [...new URLSearchParams(query)] }
  throw new UsageError(`Unknown placeholder ${placeholder}`, { hint: 'Use {project} or {organization}' })
}
