/** What is said of compared projects: their changes on stdout, a summary as Markdown, and whether they differ. */
import { resolve } from 'node:path'
import type { Context } from '../../../context.ts'
import { DriftError } from '../../../errors.ts'
import { openFile } from '../../../files/output-file.ts'
import { itemOf } from '../../../json/read-item.ts'
import { rowView } from '../../../output/views.ts'
import { type Data, read, type Shown } from '../../../result.ts'
import type { SettingChange } from '../../../settings/compare.ts'
import { drawChanges, drawColumns } from '../../../settings/draw.ts'
import { markdown } from '../../../settings/markdown.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { countOf } from '../../../text/grouped.ts'
import { json, text } from '../../../values/kinds.ts'
import { type ComparedProject, type Comparison, maskedChanges } from './compare-projects.ts'

export const changeFields = { field: text, from: json, to: json }

interface Told {
  readonly title: string
  readonly remarks: readonly string[]
  /** Its changes are shown. */
  readonly isShown: boolean
}

interface ProjectReport extends Told, Pick<ComparedProject, 'id' | 'where' | 'place' | 'name'> {
  readonly changes: readonly SettingChange[]
}

export function reportsOf(
  { compared, unread }: Comparison,
  context: Context,
  tell: (project: ComparedProject) => Told,
): ProjectReport[] {
  const { reveal } = context.values
  const ofCompared = compared.map(project => {
    const { id, where, place, name } = project
    const changes = reveal ? project.changes : maskedChanges(project, context)
    return { id, where, place, name, changes, ...tell(project) }
  })
  const ofUnread = unread.map(({ id, where, failure }) => {
    const told = { title: 'Cannot be read', remarks: [failure.message], isShown: false }
    return { id, where, place: where, name: undefined, changes: [], ...told }
  })
  return [...ofCompared, ...ofUnread]
}

/** `isSeen`: the lines of the changes are in sight already. */
export function changesData(reports: readonly ProjectReport[], many: boolean, isSeen = false): Data {
  const shown = reports.filter(({ isShown, changes }) => isShown && changes.length > 0)
  const items = shown.flatMap(({ id, changes }) =>
    changes.map(({ field, from, to }) => itemOf({ ...(many ? { project: id } : {}), field, from, to })),
  )
  const names = [...(many ? ['project'] : []), ...Object.keys(changeFields)]
  return {
    document: { shape: 'list', batches: [items], view: rowView(names, many ? 'project' : 'field') },
    drawing: {
      format: 'table',
      draw: ({ color }) => {
        const drawn = (isSeen ? [] : shown).map(
          ({ where, changes }) => (many ? `${escapeControls(where)}:\n` : '') + drawChanges(changes, color),
        )
        return many ? [...drawn, resultsTable(reports)].join('\n') : drawn.join('')
      },
    },
  }
}

function resultsTable(reports: readonly ProjectReport[]): string {
  const rows = reports.map(({ id, name = '-', title }) => [id, name, title].map(escapeControls))
  return drawColumns([['Project', 'Name', 'Result'], ...rows])
}

/** `file`: already known to be writable. */
export async function writeSummary(
  { host, secrets }: Context,
  file: string | undefined,
  reports: readonly ProjectReport[],
): Promise<void> {
  if (file === undefined) return
  const sink = await openFile(resolve(host.cwd, file), host)
  try {
    await sink.write(
      secrets.hide(markdown(reports.map(({ name, ...rest }) => ({ ...rest, project: name ?? rest.id })))),
    )
    await sink.commit()
  } finally {
    await sink.discard()
  }
}

interface ComparedWith {
  readonly name: string
  readonly hint: string | undefined
  readonly markdown: string | undefined
}

/** Throws `DriftError` for any difference, after printing. */
export async function reportDrift(
  comparison: Comparison,
  { name, hint, markdown }: ComparedWith,
  context: Context,
): Promise<Shown> {
  const { compared, many } = comparison
  const differing = compared.filter(({ changes }) => changes.length > 0)
  const reports = reportsOf(comparison, context, ({ changes }) => {
    return { title: titleOfDrift(changes), remarks: [], isShown: true }
  })
  await writeSummary(context, markdown, reports)
  const [only] = compared
  const where = many || !only ? countProjects(compared) : only.where
  return read(changesData(reports, many), () => {
    if (differing.length === 0) return context.messages.notice(`Compared ${where} with ${name}: no changes`)
    const changes = differing[0]?.changes ?? []
    const [what, count] = many ? [String(differing.length), differing.length] : [countSettings(changes), changes.length]
    throw new DriftError(`${what} of ${where} ${count === 1 ? 'differs' : 'differ'} from ${name}`, { hint })
  })
}

function titleOfDrift(changes: readonly SettingChange[]): string {
  return changes.length === 0 ? 'No changes' : `${countSettings(changes)} to change`
}

export function countSettings(changes: readonly unknown[]): string {
  return countOf(changes.length, 'setting', 'settings')
}

export function countProjects(compared: readonly unknown[]): string {
  return countOf(compared.length, 'project', 'projects')
}
