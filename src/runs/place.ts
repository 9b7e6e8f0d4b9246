import { idOf } from '../api/answers/record-identity.ts'
import { projects } from '../api/endpoints.ts'
import { organizationOf } from '../api/organization-of.ts'
import type { Connection, Context } from '../context.ts'
import { Failure, InterruptedError } from '../errors.ts'
import { textAt } from '../json/exact.ts'
import { pathIn } from '../operations/collections.ts'
import { type Operation, type OperationRequest, operationAt, operationWords, rowOf } from '../operations/operation.ts'
import type { Selection } from '../targets/source.ts'
import { cut } from '../text/cells.ts'

/** Throws `UsageError` if no project or organization is known. */
export async function operationIn(connection: Connection, request: OperationRequest): Promise<Operation> {
  return operationAt(request, await pathIn(connection, rowOf(request)))
}

/** Throws `UsageError` if the scope cannot be found out. Sends no request. */
export function requireScope(connection: Connection, request: Pick<OperationRequest, 'command'>): void {
  const { scope } = rowOf(request)
  if (scope === 'project_id') connection.project()
  if (scope === 'parent_lookup_organization_id') connection.requireOrganization()
}

/** `@current` may change with time or key, so jobs, plans and receipts need the id. */
export async function fixScope(
  connection: Connection,
  request: Pick<OperationRequest, 'command'>,
): Promise<Connection> {
  const { scope } = rowOf(request)
  if (scope === 'project_id') return fixProject(connection)
  if (scope === 'parent_lookup_organization_id' && (await connection.organization()) === '@current') {
    const id = await organizationOf(connection.client, '@current')
    return { ...connection, organization: async () => id }
  }
  return connection
}

export async function fixProject(connection: Connection): Promise<Connection> {
  if (connection.project() !== '@current') return connection
  const id = await currentProject(connection)
  return { ...connection, project: () => id }
}

/** For a project that is itself the target. */
export async function fixTarget(connection: Connection, selection: Selection): Promise<Selection> {
  const { targets } = selection
  if (typeof targets === 'function' || targets.ids.length !== 1 || targets.ids.at(0) !== '@current') return selection
  return { ...selection, targets: { ...targets, ids: [await currentProject(connection)] } }
}

async function currentProject({ client }: Connection): Promise<string> {
  return idOf((await client.record(projects.get, { path: { id: '@current' } })).value, 'projects')
}

interface Wording {
  readonly form?: 'doing' | 'done' | 'accepted'
  readonly project?: string | undefined
}

/** `what` is `3 persons` in `Deleting 3 persons of project 1 and all of their events (prod, analytics.example.com)`. */
export function describeOperation(
  context: Context,
  connection: Connection,
  request: OperationRequest,
  what: string,
  { form = 'doing', project }: Wording = {},
): string {
  const words = { ...operationWords(request), accepted: 'The service accepted the change of ' }
  const also = form === 'doing' ? words.also : ''
  const later = form === 'accepted' ? '; it may apply it later' : ''
  return `${words[form]}${what}${projectOf(connection, request, project && context.secrets.hide(project))}${also} (${connection.serverName})${later}`
}

/** Terminal cells: a longer name would push the action off the screen. */
const longestName = 100

function projectOf(connection: Connection, request: OperationRequest | Operation, name?: string): string {
  if (rowOf(request).scope !== 'project_id') return ''
  const project = 'path' in request && 'project_id' in request.path ? request.path.project_id : connection.project()
  return ` of project ${project}${name ? ` ${JSON.stringify(cut(name, longestName))}` : ''}`
}

/** Undefined without a project, or if the key may not read it. */
export async function projectName(
  { client, project }: Connection,
  request: OperationRequest,
): Promise<string | undefined> {
  if (rowOf(request).scope !== 'project_id') return undefined
  try {
    const record = await client.record(projects.get, { path: { id: project() } })
    return textAt(record.value, 'name')
  } catch (error) {
    if (error instanceof Failure && !(error instanceof InterruptedError)) return undefined
    throw error
  }
}

/** Milliseconds: servers count requests per hour, and a run continues in the next one. */
const maxWait = 65 * 60_000

export function forRun(connection: Connection): Connection {
  return { ...connection, client: connection.client.within({ maxWait }) }
}
