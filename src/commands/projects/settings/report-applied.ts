import { needsConsent } from '../../../consent.ts'
import type { Context } from '../../../context.ts'
import { InterruptedError, PartialError } from '../../../errors.ts'
import { isTable } from '../../../output/is-table.ts'
import { noData, type Shown, write } from '../../../result.ts'
import type { ApplyRun } from './apply-changes.ts'
import type { ComparedProject, Comparison } from './compare-projects.ts'
import { changesData, countSettings } from './report-drift.ts'
import type { SummaryFile } from './summary-file.ts'

interface Report {
  readonly run: ApplyRun
  readonly comparison: Comparison
  readonly summary: SummaryFile
}

export async function reportAll(report: Report, context: Context): Promise<Shown> {
  const { run, comparison } = report
  await writeSummary(report, context)
  const isShown = (project: ComparedProject) => isSent(run, project)
  if (!comparison.many && !comparison.compared.some(isShown)) end(report, context)
  const shown = { ...shownOf(report, context), isShown, isSeen: isSeen(context) }
  return write(changesData(shown, context), () => end(report, context))
}

function shownOf({ run, comparison }: Report, context: Context) {
  const { many, compared, unread } = comparison
  const entries = compared.map(project => ({ project, title: titleOf(run, project, context) }))
  return { many, entries, unread, isShown: () => true }
}

/** For people: shows the changes of one project before making them, even if the reader of stdout is gone. */
export function showThenReport(report: Report, change: () => Promise<void>, context: Context): Shown {
  return write(isSeen(context) ? noData : changesData(shownOf(report, context), context), async () => {
    await change()
    await writeSummary(report, context)
    end(report, context)
  })
}

function writeSummary({ run, comparison, summary }: Report, context: Context): Promise<void> {
  const { entries, unread } = shownOf({ run, comparison, summary }, context)
  const told = entries.map(entry => ({ ...entry, ...run.results.get(entry.project) }))
  return summary.write(told, unread)
}

function end({ run, comparison }: Report, context: Context): void {
  const { compared, unread } = comparison
  sayOutcomes(run, comparison, context)
  if (run.stopped) throw run.stopped
  const failed = [...run.results.values()].filter(({ failure }) => failure).length + unread.length
  if (failed > 0) failAfterAll(failed, compared.length + unread.length)
}

export function failAfterAll(failed: number, total: number): never {
  throw new PartialError(`${failed} of ${total} projects failed`, {
    hint: 'The same command tries them again',
  })
}

/** A PATCH may be accepted with some fields ignored. */
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
  if (result.isUnknown) return `Not known whether applied: ${countSettings(changes)}`
  if (!isSent(run, project)) return `Failed: ${countSettings(changes)} to change`
  if (result.isUnread) return `Accepted, and not read afterwards: ${countSettings(changes)}`
  const { remarks, altered = 0 } = result
  const changed = changes.length - remarks.length + altered
  const part = changed === changes.length ? '' : `${changed} of `
  return `Changed ${part}${countSettings(changes)}${altered === 0 ? '' : `, ${altered} to another value`}`
}

function sayOutcomes(run: ApplyRun, { compared, many }: Comparison, context: Context): void {
  const { messages, values } = context
  const differing = compared.filter(({ changes }) => changes.length > 0)
  for (const project of differing) {
    const { remarks = [], failure, isUnknown } = run.results.get(project) ?? {}
    for (const remark of remarks) messages.fault(many ? `${project.where}: ${remark}` : remark)
    if (failure && many) messages.fault(`${titleOf(run, project, context)} of ${project.where}: ${failure.message}`)
    // An interruption does not tell that the result is unknown.
    else if (isUnknown && failure instanceof InterruptedError) {
      messages.fault(`${titleOf(run, project, context)} of ${project.where}`)
    } else if (!failure && run.results.has(project) && !values.dryRun) {
      messages.notice(`${titleOf(run, project, context)} of ${project.where}`)
    }
  }
  if (!many) return
  const same = compared.length - differing.length
  if (same > 0) messages.notice(`No changes in ${same} of ${compared.length} projects`)
  const left = differing.filter(project => !run.results.has(project)).map(({ id }) => id)
  if (left.length > 0)
    messages.fault(`Not attempted: project ${left.join(', ')}; the same command changes what is left`)
}

/** True if the same terminal already shows the changes above the question. */
function isSeen(context: Context): boolean {
  const { host, values } = context
  const { outputFile, reveal } = values
  return (
    needsConsent(context, { isAsked: true }) === 'question' &&
    host.stdout.isTerminal &&
    isTable(values) &&
    !outputFile &&
    !reveal
  )
}
