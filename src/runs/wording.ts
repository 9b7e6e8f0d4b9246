/** A run in words: what it will do, does and did, how long it takes, and the command lines that may follow. */
import type { Context } from '../context.ts'
import type { Journal } from '../jobs/journal.ts'
import { describeFailure, type Outcome } from '../jobs/outcome.ts'
import { counted } from '../operations/operation.ts'
import { cut } from '../text/cells.ts'
import { countOf, grouped } from '../text/grouped.ts'
import { shellWord } from '../text/shell-words.ts'
import { writeRate } from '../values/duration.ts'
import type { Run } from './run.ts'

type Change = Pick<Run, 'connection' | 'operation'>

/** A longer name would push the action off the screen. */
const mostNameCells = 100

/** `what` is `3 persons` in `This will delete 3 persons of project 1 and all of their events (prod, a.example.com)`. */
export function describePlan({ secrets }: Context, change: Change, what: string, project = ''): string {
  const name = project && ` ${JSON.stringify(cut(secrets.hide(project), mostNameCells))}`
  return `This will ${change.operation.verb[2]} ${objectText(change, what, name)}`
}

export function describeDoing(change: Change, what: string): string {
  return `${change.operation.verb[0]} ${objectText(change, what, '')}`
}

export function describeDone(change: Change, what: string, isAccepted = false): string {
  const { verb, beforeTargets } = change.operation
  const where = `${ofProject(change)} (${change.connection.serverName})`
  if (isAccepted) return `Accepted: the server may apply the change of ${what}${where} later`
  return `${verb[1]} ${beforeTargets}${what}${where}`
}

function objectText(change: Change, what: string, name: string): string {
  const { beforeTargets, afterTargets } = change.operation
  return `${beforeTargets}${what}${ofProject(change)}${name}${afterTargets} (${change.connection.serverName})`
}

function ofProject({ connection, operation }: Change): string {
  return operation.collection.scope === 'project_id' ? ` of project ${connection.project()}` : ''
}

/** `36 requests, 9 s at 4/s`; without a known rate only the count. */
export function describeCost(run: Run): string {
  const count = countRequests(run, run.journal.countRemaining())
  const { interval } = run.connection
  const time = interval === undefined ? '' : `, ${durationText(count * interval)} at ${writeRate(interval)}`
  return `${countOf(count, 'request')}${time}`
}

function countRequests({ operation, backup }: Run, targets: number): number {
  const { batch, readsFirst, wipes } = operation
  if (batch) return Math.ceil(targets / batch.most) + 1 + (backup ? targets : 0)
  return targets * (Math.max(1, operation.writes().length) + (readsFirst || backup ? 1 : 0) + (wipes ? 1 : 0))
}

/** Such as `40 of 100, 1 failed, 8/s, about 8 s left`. `remaining`: of the start. A narrow terminal cuts the end. */
export function describeProgress(
  run: Run,
  { worked, failed, remaining }: Readonly<Record<'worked' | 'failed' | 'remaining', number>>,
  ms: number,
): string {
  const left = remaining - worked
  const { interval } = run.connection
  const needed = interval === undefined ? (left * ms) / worked : countRequests(run, left) * interval
  const time = Number.isFinite(needed) ? `, about ${durationText(needed)} left` : ''
  const failures = failed > 0 ? `, ${grouped(failed)} failed` : ''
  const rate = worked > 0 ? `, ${writeRate(Math.max(1, ms) / worked)}` : ''
  return `${grouped(worked)} of ${grouped(remaining)}${failures}${rate}${time}`
}

/** `Deleted 97 of 100 persons, 2 not found, 1 failed (12 s)`, without a time below a second. */
export function describeOutcome({ operation, journal }: Pick<Run, 'operation' | 'journal'>, ms: number): string {
  const { deleted, updated, gone, failed, left } = journal.counts
  const done = deleted + updated
  const others = [
    [gone, 'not found'],
    [failed, 'failed'],
    [left, 'pending'],
    [journal.countUncertain(), 'of them may be done'],
  ] as const
  const counts = others.flatMap(([count, state]) => (count > 0 ? [`${grouped(count)} ${state}`] : []))
  const all = counted(journal.total, operation)
  const doing = `${operation.verb[1]} ${operation.beforeTargets}`.trim()
  const first = `${doing} ${done === journal.total ? all : `${grouped(done)} of ${all}`}`
  return `${[first, ...counts].join(', ')}${ms < 1000 ? '' : ` (${durationText(ms)})`}`
}

export type FailedTarget = readonly [id: string, Extract<Outcome, { status: 'failed' }>]

export function outcomeLines(counts: Journal['counts'], failures: readonly FailedTarget[]): string[] {
  const rows = Object.entries(counts).flatMap(([status, count]) =>
    count > 0 ? [`${status.padEnd(8)} ${grouped(count)}`] : [],
  )
  const lines = failures.map(([id, outcome]) => `${id}  ${describeFailure(outcome)}`)
  return [...rows, ...(lines.length > 0 ? ['', ...lines] : [])]
}

function durationText(ms: number): string {
  // The clock may have been set back.
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A command line to paste, with this run's options for server and project. */
export function suggestCommand({ config, secrets }: Context, words: readonly string[]): string {
  const { profile, baseUrl, project, organization, sandbox } = config.options
  const options = { '--profile': profile, '--base-url': baseUrl, '--project': project, '--organization': organization }
  const where = Object.entries(options).flatMap(([option, value]) => (value === undefined ? [] : [option, value]))
  const line = ['analytics', ...[...words, ...where].map(shellWord), ...(sandbox ? ['--sandbox'] : [])].join(' ')
  // It may be written to a file.
  return secrets.hide(line)
}
