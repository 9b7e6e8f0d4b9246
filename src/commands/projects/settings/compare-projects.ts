/** Reads projects, compares them with their settings files, and shows the differences. */

import type { Client } from '../../../api/client.ts'
import { projects } from '../../../api/endpoints.ts'
import type { Connection, Context, Result } from '../../../cli/command.ts'
import { DriftError, Failure, UsageError } from '../../../errors.ts'
import { runParallel } from '../../../jobs/run-parallel.ts'
import { decodeObject, encode } from '../../../json/exact.ts'
import type { Item } from '../../../json/item.ts'
import { compile } from '../../../json/pick.ts'
import { checkAnsweredId } from '../../../operations/targets/find-targets.ts'
import { rowView } from '../../../output/views.ts'
import { compareSettings, type ProjectRecord, type SettingChange } from '../../../settings/compare.ts'
import { drawChanges } from '../../../settings/draw.ts'
import { maskChanges } from '../../../settings/mask-changes.ts'
import type { DesiredState } from '../../../settings/read.ts'
import { countOf } from '../../../text/grouped.ts'
import { json, text } from '../../../values/kinds.ts'
import type { ProjectSettings } from './settings-options.ts'
import type { SummaryFile } from './summary-file.ts'

export const projectsAtOnce = 4

export const changeFields = { field: text, from: json, to: json }

export interface ComparedProject {
  /** As it was named, or the project in use; it may be `@current`. */
  readonly named: string
  /** Its own id: `@current` may be another project by the time of the PATCH. */
  readonly id: string
  /** Such as `project 1 (Juniper Books, prod)`. */
  readonly where: string
  /** Undefined for a project without a name, or with a name from a variable. */
  readonly name: string | undefined
  readonly item: Item
  readonly record: ProjectRecord
  readonly desired: DesiredState
  readonly changes: readonly SettingChange[]
}

export interface UnreadProject {
  readonly id: string
  readonly where: string
  readonly failure: Failure
}

export interface Comparison {
  readonly compared: readonly ComparedProject[]
  /** Those whose failure did not end the command. */
  readonly unread: readonly UnreadProject[]
}

/** Throws `UsageError` for a variable of any name that holds the key in use. */
export async function refuseKey(
  connection: Connection,
  settings: readonly Pick<DesiredState, 'uses'>[],
): Promise<void> {
  for (const { file, line, field, variable, text } of settings.flatMap(({ uses }) => uses)) {
    if (!(await connection.holdsKey(text))) continue
    throw new UsageError(`${file}:${line}: ${field} cannot be ${variable}: it holds the key in use`, {
      attr: field,
      hint: 'Take it from another variable',
    })
  }
}

/** Adds values from the environment to the secrets that stderr hides. */
export function hideVariables({ secrets }: Context, settings: readonly Pick<DesiredState, 'texts'>[]): void {
  for (const text of settings.flatMap(({ texts }) => texts)) secrets.add(text)
}

/** Compares all projects before any write. `onFailure` may throw to end it. */
export async function compareProjects(
  connection: Connection,
  settings: readonly ProjectSettings[],
  onFailure: (id: string, failure: Failure) => void,
): Promise<Comparison> {
  const server = connection.serverName
  const compared: (ComparedProject | undefined)[] = settings.map(() => undefined)
  const unread: (UnreadProject | undefined)[] = settings.map(() => undefined)
  await runParallel(settings.entries(), projectsAtOnce, async ([i, { id: given, desired }]) => {
    const named = given ?? connection.project()
    try {
      const item = await readProject(connection.client, named)
      const id = ownId(named, item)
      const record = decodeObject(item)
      const name = shownName(record, desired)
      const where = `project ${id} (${name === undefined ? server : `${name}, ${server}`})`
      compared[i] = { named, id, where, name, item, record, desired, changes: compareSettings(desired.values, record) }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      onFailure(named, error)
      unread[i] = { id: named, where: `project ${named} (${server})`, failure: error }
    }
  })
  return { compared: compared.flatMap(project => project ?? []), unread: unread.flatMap(project => project ?? []) }
}

const { pick: pickId } = compile(['id'])

/** `@current` may be another project later. Throws `RejectedError` for an answer without an id. */
export function ownId(named: string, project: Item): string {
  return named === '@current' ? checkAnsweredId(pickId(project)[0], 'projects') : named
}

function shownName({ name }: ProjectRecord, { uses }: DesiredState): string | undefined {
  const isMasked = uses.some(({ field }) => field === 'name')
  return typeof name === 'string' && name.trim() !== '' && !isMasked ? name : undefined
}

export function readProject(client: Client, id: string): Promise<Item> {
  return client.record(projects.get, { path: { id } })
}

export function countSettings(changes: readonly unknown[]): string {
  return countOf(changes.length, 'setting', 'settings')
}

export function shownChanges({ changes, desired }: ComparedProject, { values }: Context): readonly SettingChange[] {
  return values.reveal ? changes : maskChanges(changes, desired)
}

/** With one project the table is a diff; with several each change names its project. */
export function changesResult(
  compared: readonly ComparedProject[],
  many: boolean,
  context: Context,
  afterwards: () => void,
): Result {
  const rows = compared.flatMap(project =>
    shownChanges(project, context).map(({ field, from, to }) => ({ project: project.id, field, from, to })),
  )
  const names = [...(many ? ['project'] : []), ...Object.keys(changeFields)]
  const items = rows.map(({ project, ...change }) => Buffer.from(encode(many ? { project, ...change } : change)))
  const document = {
    shape: 'list' as const,
    batches: [items],
    view: rowView(names, many ? 'project' : 'field'),
  }
  if (many) return { document, afterwards }
  return {
    document,
    drawn: { format: 'table', draw: ({ color }) => drawChanges(rows, color) },
    afterwards,
  }
}

interface ComparedWith {
  readonly name: string
  readonly hint?: string
}

/** Any difference ends the command with `DriftError` after printing. */
export async function reportDrift(
  { compared, unread }: Comparison,
  many: boolean,
  { name, hint }: ComparedWith,
  summary: SummaryFile,
  context: Context,
): Promise<Result> {
  const differing = compared.filter(({ changes }) => changes.length > 0)
  await summary.write(
    compared.map(project => ({
      project,
      title: project.changes.length === 0 ? 'No changes' : `${countSettings(project.changes)} to change`,
    })),
    unread,
  )
  const [only] = compared
  const where = many || !only ? countProjects(compared) : only.where
  const heading =
    differing.length === 0
      ? `Compared ${where} with ${name}: no changes`
      : many
        ? `${countProjects(differing)} of ${compared.length} ${differing.length === 1 ? 'differs' : 'differ'} from ${name}`
        : `${countSettings(differing[0]?.changes ?? [])} of ${where} ${differing[0]?.changes.length === 1 ? 'differs' : 'differ'} from ${name}`
  return changesResult(compared, many, context, () => {
    if (differing.length === 0) context.messages.notice(heading)
    else throw new DriftError(heading, { hint })
  })
}

export function countProjects(compared: readonly unknown[]): string {
  return countOf(compared.length, 'project', 'projects')
}
