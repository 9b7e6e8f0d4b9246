import { UsageError } from '../errors.ts'
import { valueAt } from '../json/exact.ts'
import type { Client } from './client.ts'
import { projects } from './endpoints.ts'
import { idOf } from './responses/record-identity.ts'

export async function currentProject(client: Client): Promise<string> {
  const { value } = await client.record(projects.get, { path: { id: '@current' } })
  return idOf(value, 'projects')
}

export async function organizationOf(client: Client, project: string | undefined): Promise<string> {
  if (project === undefined) throw noOrganization()
  const organization = valueAt((await client.record(projects.get, { path: { id: project } })).value, 'organization')
  if (organization !== undefined && organization !== null) return idOf({ id: organization }, 'organizations')
  throw new UsageError(`Project ${project} has no organization in its record`, { hint: 'Use --organization ID' })
}

export function noOrganization(): UsageError {
  return new UsageError('No organization given', {
    hint: 'Use --organization ID, or --project ID to read it from the project',
  })
}
