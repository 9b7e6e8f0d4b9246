import type { Context, Result } from '../../../context.ts'
import { DriftError } from '../../../errors.ts'
import { encode } from '../../../json/exact.ts'
import { rowView } from '../../../output/views.ts'
import { drawChanges } from '../../../settings/draw.ts'
import { countOf } from '../../../text/grouped.ts'
import { json, text } from '../../../values/kinds.ts'
import { type Comparison, shownChanges } from './compare-projects.ts'
import type { SummaryFile } from './summary-file.ts'

export const changeFields = { field: text, from: json, to: json }

export function countSettings(changes: readonly unknown[]): string {
  return countOf(changes.length, 'setting', 'settings')
}

export function changesResult(
  { compared, many }: Pick<Comparison, 'compared' | 'many'>,
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
    textForm: { format: 'table', draw: ({ color }) => drawChanges(rows, color) },
    afterwards,
  }
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
): Promise<Result> {
  const { compared, unread, many } = comparison
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
  return changesResult(comparison, context, () => {
    if (differing.length === 0) context.messages.notice(heading)
    else throw new DriftError(heading, { hint })
  })
}

export function countProjects(compared: readonly unknown[]): string {
  return countOf(compared.length, 'project', 'projects')
}
