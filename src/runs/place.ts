import { idOf } from '../api/answers/record-identity.ts'
import { projects } from '../api/endpoints.ts'
import { organizationOf } from '../api/organization-of.ts'
import type { Connection, Context } from '../context.ts'
import type { CollectionFacts } from '../operations/collections.ts'
import type { Operation } from '../operations/operation.ts'
import { cut } from '../text/cells.ts'

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

interface Change {
  readonly connection: Connection
  readonly operation: Operation
}

/** `what` is `3 persons` in `Deleting 3 persons of project 1 and all of their events (prod, analytics.example.com)`. */
export function describeDoing({ secrets }: Context, change: Change, what: string, project = ''): string {
  const { verb, part = '', also = '' } = change.operation
  const name = project && ` ${JSON.stringify(cut(secrets.hide(project), longestName))}`
  return `${verb[0]} ${part}${what}${placeIn(change)}${name}${also} (${change.connection.serverName})`
}

/** Of a change that was made, or one that the service accepted and may make later. */
export function describeDone(change: Change, what: string, isAccepted = false): string {
  const { verb, part = '' } = change.operation
  const where = `${placeIn(change)} (${change.connection.serverName})`
  if (isAccepted) return `The service accepted the change of ${what}${where}; it may apply it later`
  return `${verb[1]} ${part}${what}${where}`
}

function placeIn({ connection, operation }: Change): string {
  return operation.of.scope === 'project_id' ? ` of project ${connection.project()}` : ''
}

/** Terminal cells: a longer name would push the action off the screen. */
const longestName = 100

/** Milliseconds: servers count requests per hour, and a run continues in the next one. */
const maxWait = 65 * 60_000

export function forRun(connection: Connection): Connection {
  return { ...connection, client: connection.client.within({ maxWait }) }
}
