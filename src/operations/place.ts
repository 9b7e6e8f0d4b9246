/** Where an operation acts: its path parameters, and how messages name the place. */
import type { Connection, Context } from '../cli/command.ts'
import { type Operation, type OperationRequest, operationWords, rowOf } from './operation.ts'

/** Fills in the project or organization. Throws `UsageError` where none is known. */
export async function operationIn(connection: Connection, request: OperationRequest): Promise<Operation> {
  return { ...request, path: await pathIn(connection, request) } as Operation
}

export async function pathIn(
  connection: Connection,
  request: Pick<OperationRequest, 'command'>,
): Promise<Readonly<Record<string, string>>> {
  const { scope } = rowOf(request)
  if (scope === 'project_id') return { project_id: connection.project() }
  if (scope === 'parent_lookup_organization_id') return { [scope]: await connection.organization() }
  return {}
}

/** `Deleting 3 persons of project 1 and all of their events (prod, analytics.example.com)`; `what` is `3 persons`. */
export function describeOperation(
  context: Context,
  connection: Connection,
  request: OperationRequest,
  what: string,
  form: 'doing' | 'done' | 'accepted' = 'doing',
): string {
  const words = { ...operationWords(request), accepted: 'Accepted for ' }
  const also = form === 'doing' ? words.also : ''
  return `${words[form]}${what}${projectOf(connection, request)}${also} (${describePlace(context, connection)})`
}

function projectOf(connection: Connection, request: OperationRequest): string {
  return rowOf(request).scope === 'project_id' ? ` of project ${connection.project()}` : ''
}

/** The profile and the host; `sandbox` has neither. */
export function describePlace({ settings }: Context, { place, client }: Connection): string {
  return settings.profile ? `${settings.profile.name}, ${client.base.host}` : place
}
