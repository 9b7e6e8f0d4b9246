/** What a write reports: its record or outcomes, what the user should know of them, and the failure that it exits with. */
import { isSuccess } from '../api/responses/response.ts'
import { type Context, isTable, noData, type Result } from '../context.ts'
import { Failure, InterruptedError, NotFoundError, PartialError, RefusedError } from '../errors.ts'
import type { Outcome } from '../jobs/outcome.ts'
import { isObject } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { changesIn, partValue } from '../operations/change.ts'
import { counted, isDelete, targetName } from '../operations/operation.ts'
import { objectDocument, outcomeView, recordDocument, rowView, type View } from '../output/views.ts'
import { grouped } from '../text/grouped.ts'
import { nextEventDeletion } from '../values/instant.ts'
import type { Run, RunSummary } from './run.ts'
import { describeDone, describeOutcome, suggestCommand } from './wording.ts'

/** Throws the failure that the run exits with. `only`: the outcome if the command line names one target. */
export function reportMany(context: Context, run: Run, summary: RunSummary, only: Outcome | undefined): void {
  const { operation, journal, targets, isOne } = run
  const { messages } = context
  const { finalizeError } = summary
  const { counts } = journal
  const done = counts.deleted + counts.updated
  if (isOne && done === 1) {
    messages.notice(describeDone(run, targetName(operation, targets[0] ?? '')))
  } else if (!isOne) {
    messages.notice(describeOutcome(run, summary.ms))
  }
  if (done + counts.gone + journal.unaskedEvents > 0) reportEvents(context, run)
  if (only?.status === 'deleted' && only.evidence === 'inferred') {
    messages.notice('The response was lost, but the object no longer exists. It counts as deleted')
  }
  suggestResume(context, run, summary)
  const failure = exitFailure(run, summary, only)
  if (failure !== undefined) {
    // A job that another process took over is reported once.
    const isReported = failure instanceof RefusedError && finalizeError instanceof RefusedError
    if (finalizeError instanceof Failure && !isReported) {
      const { message, details } = finalizeError
      messages.problem(details.hint === undefined ? message : `${message}. ${details.hint}`)
    }
    throw failure
  }
  if (finalizeError) throw finalizeError
}

/** Precedence: what stopped the run, then no target found, then failures. */
function exitFailure({ journal, isOne, operation }: Run, { stopped }: RunSummary, only: Outcome | undefined): unknown {
  const { counts, total, isFinished, nothingFound } = journal
  if (stopped) {
    if (stopped instanceof PartialError) return stopped.with({ retryable: !isFinished })
    return stopped instanceof InterruptedError && !isOne ? stopped.with({ hint: undefined }) : stopped
  }
  if (nothingFound) {
    const none = `No target was found: ${counted(total, operation)} returned 404`
    return only?.failure ?? new NotFoundError(none, { hint: 'Check --project and --profile' })
  }
  // A target that was read before it was gone does not count as not found.
  if (only?.failure && !(isDelete(operation) && only.failure instanceof NotFoundError)) return only.failure
  if (counts.failed === 0) return undefined
  return new PartialError(`${grouped(counts.failed)} of ${grouped(total)} failed`, { retryable: !isFinished })
}

/** Reports an update of one target. Throws its failure; if fields were not applied, it first prints the record. */
export function reportRecord(context: Context, run: Run, summary: RunSummary, outcome: Outcome | undefined): Result {
  const { operation, targets } = run
  const id = targets[0] ?? ''
  // The response has a record even where fields were not applied.
  if (!outcome || (outcome.status === 'failed' && !outcome.item)) {
    return { data: noData, end: () => reportMany(context, run, summary, outcome) }
  }
  const what = targetName(operation, id)
  const isAccepted = outcome.status === 'failed' || outcome.evidence === 'accepted'
  const result = writeResult(context, {
    id,
    done: describeDone(run, what, isAccepted),
    view: operation.collection.view,
    item: outcome.item,
    set: changesIn(operation.writes()).map(({ path }) => path),
    failure: outcome.failure,
  })
  const fault = summary.stopped ?? summary.finalizeError
  return fault ? { ...result, end: () => Promise.reject(fault) } : result
}

function suggestResume(context: Context, { job, journal, isOne }: Run, { stopped }: RunSummary): void {
  const isUseless = stopped instanceof RefusedError || (isOne && !(stopped instanceof InterruptedError))
  if (!job || journal.isFinished || isUseless) return
  context.messages.print(`Resume with: ${suggestCommand(context, ['jobs', 'resume', job.name])}`)
}

/** Responses do not say when the queued events are deleted. */
function reportEvents(context: Context, { operation, connection, journal }: Run): void {
  if (!isDelete(operation) || operation.deletesEvents === undefined) return
  const { messages } = context
  const { unaskedEvents, counts } = journal
  if (unaskedEvents > 0) {
    const persons = counted(unaskedEvents, operation)
    messages.notice(`The server queued the events of ${persons} for deletion although --delete-events was not given`)
  } else if (operation.deletesEvents) {
    const time = new Date(nextEventDeletion(connection.now()))
    const utc = time.toISOString().slice(0, 16).replace('T', ' ')
    messages.notice(`Their events are due to be deleted on Sunday ${utc} UTC, unless the operator changed the schedule`)
  } else messages.notice('Their events are kept')
  if (operation.batch === undefined || counts.deleted === 0) return
  const verify = suggestCommand(context, ['persons', 'verify', '--last'])
  messages.notice(`Accepted: the server may delete them later. To check: ${verify}`)
}

interface WriteResult {
  readonly id: string
  readonly done: string
  readonly view: View
  readonly item: Item | undefined
  readonly set: readonly string[]
  readonly failure: Failure | undefined
}

/** The record of the response, or a message and a row of data. */
export function writeResult({ messages, values }: Context, result: WriteResult): Result {
  const { id, item, view, set, failure } = result
  const record = item && isObject(item.value) && !isSuccess(item.value) ? item.value : undefined
  // The response to a change of a source may be its files.
  const isRecord = record?.id !== undefined
  const end = () => {
    if (failure) throw failure
  }
  if (item && record && (isRecord || values.output !== 'ids')) {
    const held = set.filter(path => partValue(record, path) !== undefined)
    const shown = [...new Set([view.id, ...view.names, ...held])]
    return { data: recordDocument(item, isRecord ? { ...view, shown } : { ...view, fields: [] }), end }
  }
  if (failure) return { data: noData, end }
  if (!values.dryRun) messages.notice(result.done)
  if (isTable(values) || id === '') return { data: noData }
  return { data: objectDocument({ id, status: 'updated' }, rowView(['id', 'status'])) }
}

export function nothingToDo({ messages, values }: Pick<Context, 'messages' | 'values'>, why: string): Result {
  messages.notice(`Nothing to do: ${why}`)
  return { data: values.dryRun ? noData : { rows: [], isOne: false, view: outcomeView } }
}
