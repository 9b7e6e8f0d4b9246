/** A job goes on only where it was made. */
import type { Connection } from '../context.ts'
import { RefusedError } from '../errors.ts'
import type { Head } from '../jobs/receipt.ts'
import { type CollectionFacts, pathIn } from '../operations/collections.ts'
import { sandboxBase } from '../values/url.ts'
import { fixScope } from './place.ts'

type Made = Pick<Head, 'base_url' | 'path'>

const scopes = [
  { name: 'project_id', called: 'project', option: '--project' },
  { name: 'parent_lookup_organization_id', called: 'organization', option: '--organization' },
] as const

/** Throws `RefusedError` for another server, project or organization. Returns the connection with the compared ids. */
export async function refuseElsewhere(
  connection: Connection,
  { base_url: base, path }: Made,
  of: CollectionFacts,
  what: string,
): Promise<Connection> {
  const here = connection.client.base.href
  // Only the same server knows the organization.
  if (here !== base) {
    const option = base === sandboxBase ? '--sandbox' : `--base-url ${base}, or its profile`
    throw new RefusedError(`${what} is of server ${base}, not of server ${here}`, { hint: `Use ${option}` })
  }
  const fixed = await fixScope(connection, of)
  const own = await pathIn(fixed, of)
  for (const { name, called, option } of scopes) {
    if (own[name] === path[name]) continue
    throw new RefusedError(`${what} is of ${called} ${path[name] ?? 'none'}, not of ${called} ${own[name] ?? 'none'}`, {
      hint: `Use ${option} ${path[name] ?? ''}`.trim(),
    })
  }
  return fixed
}
