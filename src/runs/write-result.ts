/** A write returns the record of the answer, or a line on stderr and a row of data. */
import type { Client } from '../api/client.ts'
import { forms } from '../api/good-answers.ts'
import type { Context } from '../context.ts'
import type { Failure } from '../errors.ts'
import type { Request } from '../http/message.ts'
import { isObject, type JsonObject } from '../json/exact.ts'
import type { Item } from '../json/item.ts'
import { itemOf } from '../json/read-item.ts'
import { partsOf, unappliedIn, valueIn } from '../operations/change.ts'
import type { View } from '../output/document.ts'
import { isTable } from '../output/is-table.ts'
import { outcomeView, rowView, viewOfAnswer } from '../output/views.ts'
import { noData, type Result, type Shown, write } from '../result.ts'
import { notApplied } from './steps/step.ts'

interface WriteResult {
  /** '' if there is no id yet. */
  readonly id: string
  /** Message for an answer without a record: `Deleted person 3 of project 1 (prod, analytics.example.com)`. */
  readonly done: string
  readonly view: View
  readonly status: 'deleted' | 'updated'
  readonly item: Item | undefined
  /** Paths of what was set, for a table. */
  readonly set: readonly string[]
  /** Thrown after printing the record: some accepted fields were not applied. */
  readonly failure: Failure | undefined
  readonly conclude: () => void
}

interface Write extends Pick<WriteResult, 'id' | 'done' | 'view'> {
  /** The answer must contain these fields. */
  readonly fields?: JsonObject
}

export async function sendWrite(client: Client, request: Request, sent: Write, context: Context): Promise<Shown> {
  const { fields = {} } = sent
  const item = await client.one(request)
  const answer = item?.value
  const unapplied = (isObject(answer) && !forms.success.is(answer) && unappliedIn(fields, answer)) || []
  const failure = unapplied.length > 0 ? notApplied(unapplied) : undefined
  const status = request.method === 'DELETE' ? 'deleted' : 'updated'
  const set = partsOf(fields).map(({ path }) => path)
  return writeResult(context, { ...sent, item, set, failure, status, conclude: () => undefined })
}

export function writeResult({ messages, values }: Context, result: WriteResult): Shown {
  const { id, status, view, set, failure } = result
  // `{"success":true}` is no record.
  const item = result.item && forms.success.is(result.item.value) ? undefined : result.item
  const conclude = () => {
    result.conclude()
    if (failure) throw failure
  }
  const asTable = isTable(values)
  const isShown = item && status !== 'deleted' && (holdsAny(item) || (id === '' && !asTable && item.value !== null))
  if (isShown && (values.output !== 'ids' || id === '' || holdsId(item))) {
    const isShort = asTable && set.length > 0 && values.fields === undefined && holdsId(item)
    const shown = isShort ? shortOf(item, set) : item
    const document = { shape: 'object', batches: [[shown]], view: viewOfAnswer(view, shown) } as const
    return write({ document }, conclude)
  }
  if (!values.dryRun && !failure) messages.notice(result.done)
  if (asTable || failure) return write(noData, conclude)
  const document = { shape: 'object', batches: [[itemOf({ id, status })]], view: rowView(['id', 'status']) } as const
  return write({ document }, conclude)
}

/** A run that has nothing to do. */
export function nothingDone({ messages }: Pick<Context, 'messages'>, why: string): Result {
  messages.notice(`Nothing to do: ${why}`)
  return write({ document: { shape: 'list', batches: [], view: outcomeView } })
}

/** The id, the name and what was set. */
function shortOf({ value }: Item, set: readonly string[]): Item {
  const record = isObject(value) ? value : {}
  const paths = [...new Set(['id', 'name', ...set])].filter(path => valueIn(record, path) !== undefined)
  return itemOf(Object.fromEntries(paths.map(path => [path, valueIn(record, path)])))
}

/** `{}`, `[]` and `null` tell no more than an empty body. */
function holdsAny({ value }: Item): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

function holdsId({ value }: Item): boolean {
  return isObject(value) && value.id !== undefined
}
