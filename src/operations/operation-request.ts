/** A change as a command wants it, and how it is said; the targets are not part of it. */

import type { Connection, Context } from '../cli/command.ts'
import { type Operation, type OperationName, type OperationRow, operations } from './operations.ts'

export interface OperationRequest {
  readonly command: OperationName
  /** In place of the row's verb: `Deleting property plan of`. */
  readonly doing?: string
  /** Behind the targets: ` and all of their events`. */
  readonly also?: string
  readonly params?: readonly (readonly [string, string])[]
  readonly body?: unknown
  /** Only with one target. */
  readonly serverFormat?: 'csv' | 'json' | undefined
}

export async function operationFor(connection: Connection, wanted: OperationRequest): Promise<Operation> {
  const { command, params = [], body } = wanted
  return { command, path: await scopeOf(connection, command), params, body }
}

export async function scopeOf(connection: Connection, command: OperationName): Promise<Operation['path']> {
  const { scope }: OperationRow = operations[command]
  if (scope === 'project_id') return { project_id: connection.project() }
  if (scope === 'parent_lookup_organization_id') return { [scope]: await connection.organization() }
  return {}
}

/** `Deleting 3 persons of project 1 and all of their events (prod, analytics.example.com)`; `what` is `3 persons`. */
export function describeOperation(
  context: Context,
  connection: Connection,
  wanted: OperationRequest,
  what: string,
): string {
  const { verb, scope }: OperationRow = operations[wanted.command]
  const where = scope === 'project_id' ? ` of project ${connection.project()}` : ''
  return `${wanted.doing ?? verb[0]} ${what}${where}${wanted.also ?? ''} (${describePlace(context, connection)})`
}

/** The profile and the host; `sandbox` has neither. */
export function describePlace({ settings }: Context, { place, client }: Connection): string {
  return settings.profile ? `${settings.profile.name}, ${client.base.host}` : place
}
