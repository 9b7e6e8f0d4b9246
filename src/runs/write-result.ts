/** A write returns the record of the answer, or a line on stderr and a row of data. */
import { forms } from '../api/answers/forms.ts'
import type { Client } from '../api/client.ts'
import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { partsOf, partValue } from '../operations/change.ts'
import { objectDocument, recordDocument, type View } from '../output/document.ts'
import { outcomeView, rowView } from '../output/views.ts'
import { isTable, noData, type Result } from '../result.ts'
import { judge } from './steps/step.ts'

interface WriteResult {
  /** '' if there is no id yet. */
  readonly id: string
  /** Message for an answer without a record: `Deleted person 3 of project 1 (prod, analytics.example.com)`. */
  readonly done: string
  readonly view: View
  readonly status: 'deleted' | 'updated'
  readonly item: Item | undefined
  /** Paths of what was set: a table shows them beside the id and the names. */
  readonly set: readonly string[]
  /** Thrown after printing the record: some accepted fields were not applied. */
  readonly failure: Failure | undefined
}

interface Write extends Pick<WriteResult, 'id' | 'done' | 'view'> {
  /** The answer must contain these fields. */
  readonly fields: JsonObject
}

export async function sendWrite(client: Client, request: Request, sent: Write, context: Context): Promise<Result> {
  const { fields } = sent
  const answer = await client.answer(request)
  const verdict = judge({ change: fields }, answer)
  const failure = verdict instanceof Failure ? verdict : undefined
  const status = request.method === 'DELETE' ? 'deleted' : 'updated'
  const set = partsOf(fields).map(({ path }) => path)
  return writeResult(context, { ...sent, item: answer.item, set, failure, status })
}

export function writeResult({ messages, values }: Context, result: WriteResult): Result {
  const { id, status, view, set, failure } = result
  const end = () => {
    if (failure) throw failure
  }
  // `{"success":true}` is no record.
  const item = result.item && forms.success.is(result.item.value) ? undefined : result.item
  const asTable = isTable(values)
  const isShown = item && status !== 'deleted' && (holdsAny(item) || (id === '' && !asTable && item.value !== null))
  if (isShown && (values.output !== 'ids' || id === '' || holdsId(item))) {
    const record = isObject(item.value) ? item.value : {}
    const held = set.filter(path => partValue(record, path) !== undefined)
    const shown = holdsId(item) ? [...new Set([view.id, ...view.names, ...held])] : undefined
    return { data: recordDocument(item, { ...viewOfAnswer(view, item), shown }), end }
  }
  if (!values.dryRun && !failure) messages.notice(result.done)
  if (asTable || failure || id === '') return { data: noData, end }
  return { data: objectDocument({ id, status }, rowView(['id', 'status'])), end }
}

/** CSV has the documented columns only for a record: a write may return `{"success":true}`. */
function viewOfAnswer(view: View, { value }: Item): View {
  const names = isObject(value) ? Object.keys(value) : []
  const isRecord = names.includes(view.id) && names.some(name => name !== view.id && view.fields.includes(name))
  return isRecord ? view : { ...view, fields: [] }
}

export function nothingDone({ messages, values }: Pick<Context, 'messages' | 'values'>, why: string): Result {
  messages.notice(`Nothing to do: ${why}`)
  return { data: values.dryRun ? noData : { rows: [], isOne: false, view: outcomeView } }
}

/** `{}`, `[]` and `null` tell no more than an empty body. */
function holdsAny({ value }: Item): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function holdsId({ value }: Item): boolean {
  return isObject(value) && value.id !== undefined
}
