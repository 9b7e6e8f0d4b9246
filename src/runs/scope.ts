/** The server and project of a run: resolves `@current`, and requires those of the job for a resume. */
import { organizationOf } from '../api/client.ts'
import type { Connection } from '../context.ts'
import { RefusedError } from '../errors.ts'
import type { JobHeader } from '../jobs/receipt.ts'
import { type CollectionSpec, pathIn } from '../operations/collections.ts'
import { sandboxBase } from '../values/url.ts'

/** `@current` may change with time or key, so jobs and receipts need the id. */
export async function resolveScope(connection: Connection, { scope }: CollectionSpec): Promise<Connection> {
  if (scope === 'project_id') {
    const id = await connection.resolvedProject()
    return { ...connection, project: () => id }
  }
  if (scope === 'parent_lookup_organization_id' && (await connection.organization()) === '@current') {
    const id = await organizationOf(connection.client, '@current')
    return { ...connection, organization: async () => id }
  }
  return connection
}

/**
 * Throws `RefusedError` unless the connection is to the server, project and organization of the job. Returns it with resolved ids.
 */
export async function requireSameProject(
  connection: Connection,
  { base_url: base, path }: Pick<JobHeader, 'base_url' | 'path'>,
  collection: CollectionSpec,
  what: string,
): Promise<Connection> {
  const here = connection.client.base.href
  // Only the same server knows the organization.
  if (here !== base) {
    const option = base === sandboxBase ? '--sandbox' : `--base-url ${base}, or its profile`
    throw new RefusedError(`${what} is for server ${base}, not for server ${here}`, { hint: `Use ${option}` })
  }
  const resolved = await resolveScope(connection, collection)
  const own = await pathIn(resolved, collection)
  const { scope } = collection
  if (!scope || own[scope] === path[scope]) return resolved
  const called = scope === 'project_id' ? 'project' : 'organization'
  throw new RefusedError(`${what} is for ${called} ${path[scope]}, not for ${called} ${own[scope]}`, {
    hint: `Use --${called} ${path[scope]}`,
  })
}
