/** The output of `projects apply` at its end. */
import type { Context, Result } from '../../../cli/command.ts'
import { asks } from '../../../cli/confirm.ts'
import { PartialError } from '../../../errors.ts'
import { isTable } from '../../../output/is-table.ts'
import type { ApplyRun } from './apply-changes.ts'
import { type ComparedProject, type Comparison, changesResult, countSettings } from './compare-projects.ts'
import type { SummaryFile } from './summary-file.ts'

interface Report {
  readonly many: boolean
  readonly keepGoing: boolean
}

/** Throws what stopped the run once the changes are printed. */
export async function reportApplied(
  run: ApplyRun,
  { compared, unread }: Comparison,
  { many, keepGoing }: Report,
  summary: SummaryFile,
  context: Context,
): Promise<Result> {
  const entries = compared.map(project => ({
    project,
    title: titleOf(run, project, context),
    ...run.results.get(project),
  }))
  await summary.write(entries, unread)
  const failures = [...unread.map(({ failure }) => failure), ...run.failures()]
  const [first] = failures
  const sent = compared.filter(project => isSent(run, project))
  if (!many && first && sent.length === 0) throw first
  const afterwards = () => {
    sayOutcomes(run, compared, many, context)
    if (first && keepGoing && many) failAfterAll(failures.length, compared.length + unread.length)
    if (first) throw first
  }
  const result = isSeen(context) && !many ? { text: '', afterwards } : changesResult(sent, many, context, afterwards)
  return { ...result, persists: true }
}

export function failAfterAll(failed: number, total: number): never {
  throw new PartialError(`${failed} of ${total} projects failed`, {
    hint: 'The same command tries them again',
  })
}

/** The service may accept a PATCH and ignore some of its fields. */
function isSent(run: ApplyRun, project: ComparedProject): boolean {
  const result = run.results.get(project)
  return result !== undefined && (!result.failure || result.isUnread || result.remarks.length > 0)
}

function titleOf(run: ApplyRun, project: ComparedProject, { values }: Context): string {
  const { changes } = project
  const result = run.results.get(project)
  if (changes.length === 0) return 'No changes'
  if (values.dryRun) return `Would change ${countSettings(changes)}`
  if (!result) return `Not attempted: ${countSettings(changes)} to change`
  if (!isSent(run, project)) return `Failed: ${countSettings(changes)} to change`
  if (result.isUnread) return `Accepted, and not read afterwards: ${countSettings(changes)}`
  const { remarks, altered = 0 } = result
  const changed = changes.length - remarks.length + altered
  const part = changed === changes.length ? '' : `${changed} of `
  return `Changed ${part}${countSettings(changes)}${altered === 0 ? '' : `, ${altered} to another value`}`
}

function sayOutcomes(run: ApplyRun, compared: readonly ComparedProject[], many: boolean, context: Context): void {
  const { messages, values } = context
  const differing = compared.filter(({ changes }) => changes.length > 0)
  for (const project of differing) {
    const { remarks = [], failure } = run.results.get(project) ?? {}
    for (const remark of remarks) messages.warn(many ? `${project.where}: ${remark}` : remark)
    if (failure && many) messages.warn(`${titleOf(run, project, context)} of ${project.where}: ${failure.message}`)
    else if (!failure && run.results.has(project) && !values.dryRun) {
      messages.notice(`${titleOf(run, project, context)} of ${project.where}`)
    }
  }
  if (!many) return
  const same = compared.length - differing.length
  if (same > 0) messages.notice(`No changes in ${same} of ${compared.length} projects`)
  const left = differing.filter(project => !run.results.has(project)).map(({ id }) => id)
  if (left.length > 0) messages.warn(`Not attempted: project ${left.join(', ')}; the same command changes what is left`)
}

/** Whether the same terminal already shows the changes above the question. */
function isSeen(context: Context): boolean {
  const { host, values } = context
  const { outputFile, reveal } = values
  return asks(context) && host.stdout.isTerminal && isTable(values) && !outputFile && !reveal
}
