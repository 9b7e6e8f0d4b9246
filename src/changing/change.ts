/** What the commands that change many things have in common: from what was typed to one request, or to a run. */
import { type Change, type ChangeName, type ChangeRow, changes } from '../bulk/changes.ts'
import type { Connection, Context, Result } from '../cli/command.ts'
import { UsageError } from '../errors.ts'
import { chosenTargets, type Giving } from './targets.ts'

export interface Wanted {
  readonly command: ChangeName
  /** In place of the row's verb: `Deleting property plan of`. */
  readonly doing?: string
  /** Behind the targets: ` and all of their events`. */
  readonly also?: string
  readonly params?: readonly (readonly [string, string])[]
  readonly body?: unknown
  /** Only with one target. */
  readonly serverFormat?: 'csv' | 'json' | undefined
}

/** The options beside those of every such command, as they were typed: what a job keeps of them are their names. */
export type Given = Readonly<Record<string, unknown>>

/** Changes what the ids or options name. Throws a `Failure` before anything is sent, or for what ended it. */
export async function change(
  context: Context,
  wanted: Wanted,
  named: readonly string[],
  options: Giving,
  given: Given = {},
): Promise<Result> {
  if (options.all && changes[wanted.command].status === 'deleted' && options.expect === undefined) {
    throw new UsageError('Deleting with --all needs the number of persons', { hint: 'Give --expect N' })
  }
  if (given.body === '-' && (options.from === '-' || options.distinctIdsFrom === '-')) {
    throw new UsageError('stdin cannot carry both the body and the ids', { hint: 'Put one of them in a file' })
  }
  const chosen = await chosenTargets(context, named, options)
  if (chosen.one !== undefined) {
    const { changeOne } = await import('./change-one.ts')
    return changeOne(context, wanted, chosen.one, options)
  }
  if (wanted.serverFormat !== undefined) {
    throw new UsageError('--server-format goes with one id only: it prints one answer', { hint: 'Leave it out' })
  }
  const { changeMany } = await import('./change-many.ts')
  return changeMany(context, wanted, chosen, { ...given, ...options })
}

export async function changeIn(connection: Connection, wanted: Wanted): Promise<Change> {
  const { command, params = [], body } = wanted
  return { command, path: await scopeOf(connection, command), params, body }
}

export async function scopeOf(connection: Connection, command: ChangeName): Promise<Change['path']> {
  const { scope }: ChangeRow = changes[command]
  if (scope === 'project_id') return { project_id: connection.project() }
  if (scope === 'parent_lookup_organization_id') return { [scope]: await connection.organization() }
  return {}
}

/** `Deleting 3 persons of project 1 and all of their events (prod, analytics.example.com)`; `what` is `3 persons`. */
export function saying(context: Context, connection: Connection, wanted: Wanted, what: string): string {
  const { verb, scope }: ChangeRow = changes[wanted.command]
  const where = scope === 'project_id' ? ` of project ${connection.project()}` : ''
  return `${wanted.doing ?? verb[0]} ${what}${where}${wanted.also ?? ''} (${placeOf(context, connection)})`
}

/** The profile and the host; `sandbox` has neither. */
export function placeOf({ settings }: Context, { place, client }: Connection): string {
  return settings.profile ? `${settings.profile.name}, ${client.base.host}` : place
}
