import { UsageError } from '../errors.ts'
import { compile, stringIn } from '../json/pick.ts'
import { isId } from '../values/ids.ts'
import type { Client } from './client.ts'
import { projects } from './endpoints.ts'

/** The organization of a project. Throws `UsageError` where there is no project, or where it does not name one. */
export async function organizationOf(client: Client, project: string | undefined): Promise<string> {
  if (project === undefined) throw noOrganization()
  const [organization] = compile(['organization']).pick(await client.record(projects.get, { path: { id: project } }))
  const id = stringIn(organization)
  if (id !== undefined && isId('organizations', id)) {
    return id
  }
  throw new UsageError(`Project ${project} does not name its organization`, { hint: 'Give --organization ID' })
}

export function noOrganization(): UsageError {
  return new UsageError('No organization given', {
    hint: 'Give --organization ID, or --project to read it from the project',
  })
}
