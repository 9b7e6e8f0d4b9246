import { idOf } from '../../../api/answers/record-identity.ts'
import { projects } from '../../../api/endpoints.ts'
import type { Connection, Context } from '../../../context.ts'
import { Failure, NotFoundError, UsageError } from '../../../errors.ts'
import { runParallel } from '../../../jobs/run-parallel.ts'
import type { JsonObject } from '../../../json/exact.ts'
import type { Item } from '../../../json/item.ts'
import type { Secrets } from '../../../secrets/secrets.ts'
import { compareSettings, type SettingChange } from '../../../settings/compare.ts'
import { fields } from '../../../settings/fields.ts'
import { maskChanges } from '../../../settings/mask-changes.ts'
import type { DesiredState } from '../../../settings/read.ts'
import { nearest } from '../../../text/nearest.ts'
import type { SettingsSources } from './settings-options.ts'

export interface ComparedProject {
  /** The given id or the project in use; may be `@current`. */
  readonly named: string
  /** The project's own id: `@current` may be another project at the time of the PATCH. */
  readonly id: string
  /** For example `project 1 (Juniper Books, prod)`. */
  readonly where: string
  /** The same without the name. */
  readonly place: string
  /** Undefined without a name, or if the name comes from a variable. */
  readonly name: string | undefined
  readonly item: Item
  readonly record: JsonObject
  readonly desired: DesiredState
  readonly changes: readonly SettingChange[]
}

interface UnreadProject {
  readonly id: string
  readonly where: string
  readonly failure: Failure
}

export interface Comparison {
  /** With several projects, changes name their project. */
  readonly many: boolean
  readonly compared: readonly ComparedProject[]
  /** Projects whose failure did not end the command. */
  readonly unread: readonly UnreadProject[]
}

export const projectsAtOnce = 4

/** Compares all projects before any write. `onFailure` may throw to end it. */
export async function compareProjects(
  { secrets, messages }: Pick<Context, 'secrets' | 'messages'>,
  connection: Connection,
  { projects: settings, many }: Pick<SettingsSources, 'projects' | 'many'>,
  onFailure: (failure: Failure) => void,
): Promise<Comparison> {
  const server = connection.serverName
  const compared: (ComparedProject | undefined)[] = settings.map(() => undefined)
  const unread: (UnreadProject | undefined)[] = settings.map(() => undefined)
  await runParallel(settings.entries(), projectsAtOnce, async ([i, { id: given, desired }]) => {
    const named = given ?? connection.project()
    try {
      const item = await connection.client.record(projects.get, { path: { id: named } })
      const id = ownId(named, item)
      const record = item.value
      const name = shownName(record, desired, secrets)
      const place = `project ${id} (${server})`
      const where = name === undefined ? place : `project ${id} (${name}, ${server})`
      for (const field of absentFields(desired, record, where)) {
        messages.warn(`${where} does not have ${field}, so it is left out`)
      }
      const changes = compareSettings(desired.values, record)
      compared[i] = { named, id, where, place, name, item, record, desired, changes }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      onFailure(many ? ofProject(named, error) : error)
      unread[i] = { id: named, where: `project ${named} (${server})`, failure: error }
    }
  })
  return {
    many,
    compared: compared.flatMap(project => project ?? []),
    unread: unread.flatMap(project => project ?? []),
  }
}

/** `@current` may be another project later. Throws `RejectedError` if the answer has no id. */
export function ownId(named: string, project: Item): string {
  return named === '@current' ? idOf(project.value, 'projects') : named
}

/** Servers drop fields of the document. Throws `UsageError` for a field that neither it nor the project has. */
function absentFields({ values }: DesiredState, record: JsonObject, where: string): string[] {
  const absent = [...values.keys()].filter(field => !Object.hasOwn(record, field))
  const unknown = absent.find(field => !fields.has(field))
  if (unknown === undefined) return absent
  const near = nearest(unknown, Object.keys(record))
  throw new UsageError(`${where} has no field ${JSON.stringify(unknown)}`, {
    attr: unknown,
    hint: near ? `Did you mean ${near}?` : 'Take it out of the file',
  })
}

function ofProject(id: string, failure: Failure): Failure {
  // Its message names the project already.
  if (failure instanceof NotFoundError && failure.facts.isObject) return failure
  return failure.reworded(`Project ${id} cannot be read: ${failure.message}`)
}

/** Masked with `--reveal` too: for messages, since logs are kept. */
export function maskedChanges(
  { changes, desired }: Pick<ComparedProject, 'changes' | 'desired'>,
  { secrets }: Pick<Context, 'secrets'>,
): readonly SettingChange[] {
  return maskChanges(changes, { ...desired, hide: secrets.hide })
}

function shownName({ name }: JsonObject, { fromVariables }: DesiredState, { hide }: Secrets): string | undefined {
  return typeof name === 'string' && name.trim() !== '' && !fromVariables.has('name') ? hide(name) : undefined
}
