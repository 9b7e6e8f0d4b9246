import { idOf } from '../api/answers/record-identity.ts'
import { projects } from '../api/endpoints.ts'
import { organizationOf } from '../api/organization-of.ts'
import type { Connection, Context } from '../context.ts'
import { Failure, InterruptedError } from '../errors.ts'
import { textAt } from '../json/exact.ts'
import type { CollectionFacts } from '../operations/collections.ts'
import type { Operation } from '../operations/operation.ts'
import { cut } from '../text/cells.ts'

/** Throws `UsageError` if the scope cannot be found out. Sends no request. */
export function requireScope(connection: Connection, { of: { scope } }: Operation): void {
  if (scope === 'project_id') connection.project()
  if (scope === 'parent_lookup_organization_id') connection.requireOrganization()
}

/** `@current` may change with time or key, so jobs and receipts need the id. */
export async function fixScope(connection: Connection, { scope }: Pick<CollectionFacts, 'scope'>): Promise<Connection> {
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
export async function fixTarget(connection: Connection, ids: readonly string[]): Promise<readonly string[]> {
  return ids.length === 1 && ids[0] === '@current' ? [await currentProject(connection)] : ids
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
  { secrets }: Context,
  connection: Connection,
  operation: Operation,
  what: string,
  { form = 'doing', project }: Wording = {},
): string {
  const { verb, part = '', also = '', of } = operation
  const words = {
    doing: `${verb[0]} ${part}`,
    done: `${verb[1]} ${part}`,
    accepted: 'The service accepted the change of ',
  }
  const name = project && ` ${JSON.stringify(cut(secrets.hide(project), longestName))}`
  const where = of.scope === 'project_id' ? ` of project ${connection.project()}${name ?? ''}` : ''
  const later = form === 'accepted' ? '; it may apply it later' : ''
  return `${words[form]}${what}${where}${form === 'doing' ? also : ''} (${connection.serverName})${later}`
}

/** Terminal cells: a longer name would push the action off the screen. */
const longestName = 100

/** Undefined without a project, or if the key may not read it. */
export async function projectName({ client, project }: Connection, { of }: Operation): Promise<string | undefined> {
  if (of.scope !== 'project_id') return undefined
  try {
    return textAt((await client.record(projects.get, { path: { id: project() } })).value, 'name')
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
