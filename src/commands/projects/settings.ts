import { projects } from '../../api/endpoints.ts'
import { idOf } from '../../api/responses/record-identity.ts'
import { idArgument, optionalArgument } from '../../cli/command.ts'
import { repeated } from '../../cli/options.ts'
import type { Connection, Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { JsonObject } from '../../json/exact.ts'
import type { Line, Messages } from '../../messages/messages.ts'
import { maskChange } from '../../output/mask.ts'
import { listDocument, rowView } from '../../output/views.ts'
import { compareSettings, drawChanges, type SettingChange } from '../../project-settings/compare.ts'
import {
  type FileSetting,
  type ProjectSettings,
  projectFields,
  readSettings,
  refuseMistakes,
  unknownField,
} from '../../project-settings/read.ts'
import type { Result } from '../../result.ts'
import { countOf } from '../../text/grouped.ts'
import { inputFile } from '../../values/kinds.ts'

export const projectArgument = idArgument(
  optionalArgument('ID', 'id of the project (default: the one in the file, or in use)'),
  'projects',
  { text: 'a settings file use -f' },
)

export const fileOption = {
  ...repeated(
    inputFile,
    'FILE',
    'read settings from YAML or JSON (- is stdin), or from a folder with a file per project',
  ),
  short: '-f',
} as const

export interface ComparedProject {
  /** Not `@current`, which can become another project before the write. */
  readonly id: string
  /** Like `project 1 (Juniper Books, prod, analytics.example.com)`. */
  readonly title: string
  readonly settings: readonly FileSetting[]
  readonly record: JsonObject
  readonly changes: readonly SettingChange[]
}

/** Throws `UsageError` for mistakes in the files, and if an id, option or variable names another project. */
export async function settingsFor(
  { host, config, messages }: Context,
  id: string | undefined,
  files: readonly string[],
): Promise<readonly ProjectSettings[]> {
  const read = await readSettings(host, files, messages.print)
  const { values, origins } = config
  const isNamed = origins.project === 'option' || (origins.project === 'environment' && id === undefined)
  const namedIds = [id, isNamed ? values.project : undefined].filter(one => one !== undefined)
  for (const { project } of read) {
    const other = namedIds.find(one => project !== undefined && one !== project)
    if (other === undefined) continue
    throw new UsageError(`The settings are for project ${project}, not project ${other}`, {
      hint: `Remove the ID, --project and ANALYTICS_PROJECT, or use the file of project ${other}`,
    })
  }
  return read.map(({ project, settings }) => ({ project: project ?? id, settings }))
}

/** Reads all projects. Throws `UsageError` for a field that is neither documented nor in the record of the project. */
export async function compareProjects(
  { messages }: Context,
  { client, serverName, project }: Connection,
  files: readonly ProjectSettings[],
): Promise<readonly ComparedProject[]> {
  const compared: ComparedProject[] = []
  for (const { project: projectId = project(), settings } of files) {
    const { value: record } = await client.record(projects.get, { path: { id: projectId } })
    refuseUnknownFields(settings, messages, Object.keys(record))
    const id = idOf(record, 'projects')
    const name = typeof record.name === 'string' && record.name.trim() !== '' ? `${record.name}, ` : ''
    const title = `project ${id} (${name}${serverName})`
    compared.push({ id, title, settings, record, changes: compareSettings(settings, record) })
  }
  return compared
}

/** Throws `UsageError` for fields that are neither documented nor `known`. */
export function refuseUnknownFields(
  settings: readonly FileSetting[],
  { print }: Messages,
  known: readonly string[],
): void {
  const fields = [...projectFields.keys(), ...known]
  const unknown = settings.filter(({ field }) => !fields.includes(field))
  refuseMistakes(
    unknown.map(setting => unknownField(setting, fields)),
    print,
  )
}

/** In the format `ids`, each project is one row. */
export function changesData(differing: readonly ComparedProject[], { values }: Context, isShown = false): Result {
  const { output, reveal = false } = values
  const rows = differing.flatMap(({ id, changes }) =>
    (output === 'ids' ? [{}] : reveal ? changes : changes.map(maskChange)).map(change => ({ project: id, ...change })),
  )
  return {
    data: listDocument(rows, rowView(['project', 'field', 'from', 'to'], 'project')),
    draw: () => (isShown ? [] : diffLines(differing, reveal)),
  }
}

export function diffLines(differing: readonly ComparedProject[], reveal = false): readonly Line[] {
  return differing.flatMap((project, i) => [...(i > 0 ? [''] : []), ...drawChanges(project, reveal)])
}

export function describeProjects([first, ...others]: readonly ComparedProject[]): string {
  return first && others.length === 0 ? first.title : countOf(others.length + 1, 'project')
}

/** Like `2 settings of project 1 (prod, analytics.example.com)` or `3 projects`. */
export function describeChanges(differing: readonly ComparedProject[]): string {
  const [first, ...others] = differing
  const name = describeProjects(differing)
  return first && others.length === 0 ? `${countOf(first.changes.length, 'setting')} of ${name}` : name
}
