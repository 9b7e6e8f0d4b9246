import { needsConsent } from '../../../consent.ts'
import type { Context } from '../../../context.ts'
import { InterruptedError, PartialError } from '../../../errors.ts'
import { isTable } from '../../../output/is-table.ts'
import { type Shown, write } from '../../../result.ts'
import type { Applied, ApplyRun } from './apply-changes.ts'
import type { ComparedProject, Comparison } from './compare-projects.ts'
import { changesData, countSettings, reportsOf, writeSummary } from './report.ts'

export async function reportApplied(
  run: ApplyRun,
  comparison: Comparison,
  markdown: string | undefined,
  context: Context,
): Promise<Shown> {
  const { many } = comparison
  const { values } = context
  // A log shows the difference of one project even if the PATCH failed; data and files contain only what was sent.
  const isLog = !many && isTable(values) && !values.dryRun
  const reports = reportsOf(comparison, context, project => {
    const applied = run.results.get(project)
    const remarks = applied && 'remarks' in applied ? applied.remarks : []
    return { title: titleOf(project, applied, context), remarks, isShown: isLog || isSent(applied) }
  })
  await writeSummary(context, markdown, reports)
  const conclude = () => end(run, comparison, context)
  if (!many && !reports.some(({ isShown }) => isShown)) conclude()
  return write(changesData(reports, many, isSeen(context)), conclude)
}

function end(run: ApplyRun, comparison: Comparison, context: Context): void {
  const { compared, unread } = comparison
  sayOutcomes(run, comparison, context)
  if (run.stopped) throw run.stopped
  const failed = [...run.results.values()].filter(applied => 'failure' in applied).length + unread.length
  if (failed > 0) failAfterAll(failed, compared.length + unread.length)
}

export function failAfterAll(failed: number, total: number): never {
  throw new PartialError(`${failed} of ${total} projects failed`, {
    hint: 'The same command tries them again',
  })
}

/** A PATCH may be accepted with some fields ignored. */
function isSent(applied: Applied | undefined): boolean {
  return applied !== undefined && ['done', 'unapplied', 'unread'].includes(applied.kind)
}

function titleOf({ changes }: ComparedProject, applied: Applied | undefined, { values }: Context): string {
  const all = countSettings(changes)
  if (changes.length === 0) return 'No changes'
  if (values.dryRun) return `Would change ${all}`
  switch (applied?.kind) {
    case undefined:
      return `Not attempted: ${all} to change`
    case 'failed':
      return `Failed: ${all} to change`
    case 'unknown':
      return `Not known whether applied: ${all}`
    case 'unread':
      return `Accepted, and not read afterwards: ${all}`
    case 'done':
      return `Changed ${all}`
    case 'unapplied': {
      const { remarks, altered } = applied
      const changed = changes.length - remarks.length + altered
      const part = changed === changes.length ? '' : `${changed} of `
      return `Changed ${part}${all}${altered === 0 ? '' : `, ${altered} to another value`}`
    }
  }
}

function sayOutcomes(run: ApplyRun, { compared, many }: Comparison, context: Context): void {
  const { messages, values } = context
  const differing = compared.filter(({ changes }) => changes.length > 0)
  for (const project of differing) {
    const applied = run.results.get(project)
    if (!applied) continue
    const outcome = `${titleOf(project, applied, context)} of ${project.where}`
    if (applied.kind === 'unapplied') {
      for (const remark of applied.remarks) messages.fault(many ? `${project.where}: ${remark}` : remark)
    }
    if (applied.kind === 'done') {
      if (!values.dryRun) messages.notice(outcome)
    } else if (many) {
      messages.fault(`${outcome}: ${applied.failure.message}`)
    } else if (applied.kind === 'unknown' && applied.failure instanceof InterruptedError) {
      // An interruption does not tell that the result is unknown.
      messages.fault(outcome)
    }
  }
  if (!many) return
  const same = compared.length - differing.length
  if (same > 0) messages.notice(`No changes in ${same} of ${compared.length} projects`)
  const left = differing.filter(project => !run.results.has(project)).map(({ id }) => id)
  if (left.length > 0) {
    messages.fault(`Not attempted: project ${left.join(', ')}; the same command changes what is left`)
  }
}

/** True if the same terminal already shows the changes above the question. */
function isSeen(context: Context): boolean {
  const { host, values } = context
  const isAsked = needsConsent(context, { isAsked: true }) === 'question'
  return isAsked && host.stdout.isTerminal && isTable(values) && !values.reveal
}
