/** The result of a write: the record of the response, or a message and a row of data. */
import { isSuccess } from '../api/responses/forms.ts'
import type { Context } from '../context.ts'
import type { Failure } from '../errors.ts'
import { isObject } from '../json/exact.ts'
import type { Item } from '../json/read-item.ts'
import { partValue } from '../operations/change.ts'
import { objectDocument, outcomeView, recordDocument, rowView, type View } from '../output/views.ts'
import { isTable, noData, type Result } from '../result.ts'

interface WriteResult {
  readonly id: string
  readonly done: string
  readonly view: View
  readonly item: Item | undefined
  readonly set: readonly string[]
  readonly failure: Failure | undefined
}

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
