import type { Context } from '../../../context.ts'
import { DriftError } from '../../../errors.ts'
import { encode } from '../../../json/exact.ts'
import { rowView } from '../../../output/views.ts'
import { type Data, read, type Shown } from '../../../result.ts'
import { drawChanges, drawColumns } from '../../../settings/draw.ts'
import { escapeControls } from '../../../text/escape-controls.ts'
import { countOf } from '../../../text/grouped.ts'
import { json, text } from '../../../values/kinds.ts'
import {
  type ComparedProject,
  type Comparison,
  shownChanges,
  type Titled,
  type UnreadProject,
} from './compare-projects.ts'
import type { SummaryFile } from './summary-file.ts'

export const changeFields = { field: text, from: json, to: json }

export function countSettings(changes: readonly unknown[]): string {
  return countOf(changes.length, 'setting', 'settings')
}

interface Changes {
  readonly many: boolean
  readonly entries: readonly Titled[]
  readonly unread: readonly UnreadProject[]
  /** Projects whose changes are shown. */
  readonly isShown: (project: ComparedProject) => boolean
  /** The lines of the changes are in sight already. */
  readonly isSeen?: boolean
}

export function changesData(shown: Changes, context: Context): Data {
  const { many, entries, isShown, isSeen = false } = shown
  const sections = entries
    .filter(({ project }) => isShown(project))
    .map(({ project }) => ({ id: project.id, where: project.where, changes: shownChanges(project, context) }))
  const items = sections.flatMap(({ id, changes }) =>
    changes.map(({ field, from, to }) => Buffer.from(encode({ ...(many ? { project: id } : {}), field, from, to }))),
  )
  const names = [...(many ? ['project'] : []), ...Object.keys(changeFields)]
  return {
    document: { shape: 'list', batches: [items], view: rowView(names, many ? 'project' : 'field') },
    drawing: {
      format: 'table',
      draw: ({ color }) => {
        const lines = isSeen ? [] : sections.filter(({ changes }) => changes.length > 0)
        const drawn = lines.map(
          ({ where, changes }) => (many ? `${escapeControls(where)}:\n` : '') + drawChanges(changes, color),
        )
        return many ? [...drawn, drawColumns(tableRows(shown))].join('\n') : drawn.join('')
      },
    },
  }
}

function tableRows({ entries, unread }: Changes): string[][] {
  return [
    ['Project', 'Name', 'Result'],
    ...entries.map(({ project, title }) => [project.id, project.name ?? '-', title]),
    ...unread.map(({ id }) => [id, '-', 'Cannot be read']),
  ].map(cells => cells.map(escapeControls))
}

interface ComparedWith {
  readonly name: string
  readonly hint?: string | undefined
}

/** Throws `DriftError` for any difference, after printing. */
export async function reportDrift(
  comparison: Comparison,
  { name, hint }: ComparedWith,
  summary: SummaryFile,
  context: Context,
): Promise<Shown> {
  const { compared, unread, many } = comparison
  const differing = compared.filter(({ changes }) => changes.length > 0)
  const entries = compared.map(project => ({
    project,
    title: project.changes.length === 0 ? 'No changes' : `${countSettings(project.changes)} to change`,
  }))
  await summary.write(entries, unread)
  const [only] = compared
  const where = many || !only ? countProjects(compared) : only.where
  const heading =
    differing.length === 0
      ? `Compared ${where} with ${name}: no changes`
      : many
        ? `${differing.length} of ${countProjects(compared)} ${differing.length === 1 ? 'differs' : 'differ'} from ${name}`
        : `${countSettings(differing[0]?.changes ?? [])} of ${where} ${differing[0]?.changes.length === 1 ? 'differs' : 'differ'} from ${name}`
  return read(changesData({ many, entries, unread, isShown: () => true }, context), () => {
    if (differing.length === 0) context.messages.notice(heading)
    else throw new DriftError(heading, { hint })
  })
}

export function countProjects(compared: readonly unknown[]): string {
  return countOf(compared.length, 'project', 'projects')
}
