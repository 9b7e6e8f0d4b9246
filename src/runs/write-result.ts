/** A write returns the record of the answer, or a line on stderr and a row of data. */
import { findUnapplied, type sameField } from '../api/answers/verify-applied.ts'
import type { Client } from '../api/client.ts'
import { forms } from '../api/good-answers.ts'
import type { Context } from '../context.ts'
import { type Failure, RejectedError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { codes } from '../jobs/outcome.ts'
import { isObject, type JsonObject, valueAt } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { itemOf } from '../json/read-item.ts'
import { recordDocument, type View } from '../output/document.ts'
import { isTable } from '../output/is-table.ts'
import { outcomeView, rowView, viewOfAnswer } from '../output/views.ts'
import { noData, type Result } from '../result.ts'

interface WriteResult {
  /** '' if there is no id yet. */
  readonly id: string
  /** Message for an answer without a record: `Deleted person 3 of project 1 (prod, analytics.example.com)`. */
  readonly done: string
  readonly view: View
  readonly status: 'deleted' | 'accepted'
  readonly item: Item | undefined
  /** Thrown after printing the record: some accepted fields were not applied. */
  readonly failure: Failure | undefined
  readonly conclude: () => void
}

interface Write extends Pick<WriteResult, 'id' | 'done' | 'view'> {
  /** The answer must contain these fields. */
  readonly fields?: JsonObject
}

const statusView = rowView(['id', 'status'])

export async function sendWrite(client: Client, request: Request, sent: Write, context: Context): Promise<Result> {
  const { item } = await client.answer(request)
  const failure = sent.fields && notApplied(sent.fields, item)
  const status = request.method === 'DELETE' ? 'deleted' : 'accepted'
  const shown = sent.fields && [sent.view.id, ...sent.view.names, ...Object.keys(sent.fields)]
  const view = { ...sent.view, shown: shown && [...new Set(shown)] }
  return writeResult(context, { ...sent, view, item, failure, status, conclude: () => undefined })
}

export function writeResult({ messages, values }: Context, result: WriteResult): Result {
  const { id, item, status, view, failure } = result
  const conclude = () => {
    result.conclude()
    if (failure) throw failure
  }
  const asTable = isTable(values)
  const isShown = item && status !== 'deleted' && (holdsAny(item) || (id === '' && !asTable && item.value !== null))
  // Some writes return `{"success":true}`, which has no id to print.
  if (isShown && (values.output !== 'ids' || id === '' || holdsId(item))) {
    return { data: recordDocument(item, viewOfAnswer(view, item)), end: conclude }
  }
  if (!values.dryRun && !failure) messages.notice(result.done)
  if (asTable || failure) return { data: noData, end: conclude }
  const row = itemOf({ id, status })
  return { data: recordDocument(row, statusView), end: conclude }
}

/** A run that has nothing to do. */
export function nothingDone({ messages, values }: Pick<Context, 'messages' | 'values'>, why: string): Result {
  messages.notice(`Nothing to do: ${why}`)
  return { data: values.dryRun ? noData : { rows: [], isOne: false, view: outcomeView } }
}

/** `{}`, `[]` and `null` tell no more than an empty body. */
function holdsAny({ value }: Item): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function holdsId({ value }: Item): boolean {
  return isObject(value) && valueAt(value, 'id') !== undefined
}

export function notApplied(
  fields: JsonObject,
  item: Item | undefined,
  isSame?: typeof sameField,
): RejectedError | undefined {
  // `{"success":true}` shows none of the fields.
  if (!item || !isObject(item.value) || forms.success.is(item.value)) return undefined
  const [first, ...others] = findUnapplied(fields, item.value, isSame).map(({ field }) => field)
  if (first === undefined) return undefined
  const names = [first, ...others].join(', ')
  return new RejectedError(`The service accepted ${names} and did not apply ${others.length > 0 ? 'them' : 'it'}`, {
    code: codes.notApplied,
    attr: first,
    hint: 'Read the object to see how it is now',
  })
}
