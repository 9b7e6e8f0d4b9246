import { projects } from '../../api/endpoints.ts'
import { kindAt } from '../../api/resources.ts'
import { idOf } from '../../api/responses/record-identity.ts'
import { defineCommand, idArgument, optionalArgument, repeated } from '../../cli/command.ts'
import type { Connection, Context, Result } from '../../context.ts'
import { DriftError, UsageError } from '../../errors.ts'
import { type JsonObject, memberOf } from '../../json/exact.ts'
import { yamlField } from '../../json/yaml.ts'
import type { Line } from '../../messages/messages.ts'
import { maskChange } from '../../output/mask.ts'
import { listDocument, rowView } from '../../output/views.ts'
import { suggestCommand } from '../../runs/wording.ts'
import { countOf } from '../../text/grouped.ts'
import { inputFile } from '../../values/kinds.ts'
import { isSame, replacedPart } from '../../values/same.ts'
import { type FileSetting, type ProjectSettings, projectFields, readSettings, refuseUnknownFields } from './settings.ts'

const help = 'read settings from YAML or JSON (- is stdin), or from a folder with a file per project'

/** Arguments and options of `diff` and `apply`. */
export const settingsFiles = {
  args: {
    id: idArgument(optionalArgument('ID', 'id of the project (default: the one in the file, or in use)'), 'projects', {
      text: 'a settings file use -f',
    }),
  },
  options: { file: { ...repeated(inputFile, 'FILE', help), short: '-f' } },
} as const

export default defineCommand({
  summary: 'Show what settings files would change',
  details:
    'Exits with 0 if nothing would change, and with 9 if something would. Compares only the fields in the files. A file with project: 42 needs no ID.',
  ...settingsFiles,
  examples: [
    'projects diff 1 -f settings.yaml # Compare with a file',
    'projects diff -f base.yaml -f projects # Compare with a folder that has a file per project',
    'projects diff 1 -f settings.yaml -o json # Print as JSON',
  ],
  async run({ id }, { file }, context) {
    const files = await settingsFor(context, id, file)
    const differing = await findDifferences(context, await context.connect(), files)
    const end = () => {
      if (differing.length === 0) return
      const words = ['projects', 'apply', ...(id === undefined ? [] : [id]), ...file.flatMap(path => ['-f', path])]
      throw new DriftError(`Found differences: ${describeChanges(differing)}`, {
        hint: `To apply the changes: ${suggestCommand(context, words)}`,
      })
    }
    return { ...changesData(differing, context), end }
  },
})

interface SettingChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

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

/** Returns the projects that differ. Throws `UsageError` for a field that is neither documented nor in the record of the project. */
export async function findDifferences(
  { messages }: Context,
  { client, serverName, project }: Connection,
  files: readonly ProjectSettings[],
): Promise<readonly ComparedProject[]> {
  const compared: ComparedProject[] = []
  for (const { project: projectId = project(), settings } of files) {
    const { value: record } = await client.record(projects.get, { path: { id: projectId } })
    refuseUnknownFields(settings, messages.print, Object.keys(record))
    const id = idOf(record, 'projects')
    const name = typeof record.name === 'string' && record.name.trim() !== '' ? `${record.name}, ` : ''
    const title = `project ${id} (${name}${serverName})`
    compared.push({ id, title, settings, record, changes: compareSettings(settings, record) })
  }
  const differing = compared.filter(({ changes }) => changes.length > 0)
  if (differing.length === 0) messages.notice(`No changes in ${describeProjects(compared)}`)
  return differing
}

/** In the order of the service's document, then undocumented fields. A field that the record does not have is null. */
export function compareSettings(settings: readonly FileSetting[], record: JsonObject): SettingChange[] {
  const order = [...new Set([...projectFields.keys(), ...settings.map(({ field }) => field)])]
  return settings
    .map(({ field, value }) => {
      const old = memberOf(record, field) ?? null
      return { field, from: replacedPart(kindAt(field), value, old), to: value }
    })
    .filter(({ field, from, to }) => !isSame(kindAt(field), from, to))
    .sort((a, b) => order.indexOf(a.field) - order.indexOf(b.field))
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

/** Lines with `-` and `+` below the title of each project; unchanged lines before them have two spaces. */
export function diffLines(
  differing: readonly Pick<ComparedProject, 'title' | 'changes'>[],
  reveal = false,
): readonly Line[] {
  return differing.flatMap(({ title, changes }, i) => [
    ...(i > 0 ? [''] : []),
    `${title}:`,
    ...changes.flatMap(change => changeLines(change, reveal)),
  ])
}

const colors = { '-': 31, '+': 32 }

const signed = (sign: keyof typeof colors, texts: readonly string[]): Line[] =>
  texts.map(text => ({ text: `${sign} ${text}`, color: colors[sign] }))

function changeLines(change: SettingChange, reveal: boolean): Line[] {
  const { field } = change
  const shown = reveal ? change : maskChange(change)
  const [before, after] = [yamlLines(field, shown.from), yamlLines(field, shown.to)]
  // Different secrets may look equal when masked.
  const [from, to] = [yamlLines(field, change.from), yamlLines(field, change.to)]
  const isAligned = from.length === before.length && to.length === after.length
  const shorter = isAligned ? Math.min(from.length, to.length) : 0
  let start = 0
  while (start < shorter && from[start] === to[start]) start++
  if (start === before.length && start === after.length) start = 0
  let end = 0
  while (start > 0 && end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end++
  // The first line names the field.
  const shared = start > 3 ? [...before.slice(0, 1), '…', ...before.slice(start - 2, start)] : before.slice(0, start)
  return [
    ...shared.map(text => `  ${text}`),
    ...signed('-', before.slice(start, before.length - end)),
    ...signed('+', after.slice(start, after.length - end)),
  ]
}

function yamlLines(field: string, value: unknown): string[] {
  return yamlField(field, value).trimEnd().split('\n')
}

function describeProjects([first, ...others]: readonly ComparedProject[]): string {
  return first && others.length === 0 ? first.title : countOf(others.length + 1, 'project')
}

/** Like `2 settings of project 1 (prod, analytics.example.com)` or `3 projects`. */
export function describeChanges(differing: readonly ComparedProject[]): string {
  const [first, ...others] = differing
  const name = describeProjects(differing)
  return first && others.length === 0 ? `${countOf(first.changes.length, 'setting')} of ${name}` : name
}
