/** Shows an undocumented response as a list if it contains one, otherwise as an object. */
import { unexpectedAnswer } from '../../api/answers/answer.ts'
import { pageIn } from '../../api/page.ts'
import { list, type Reading } from '../../api/pages.ts'
import type { RowSource } from '../../api/select-rows.ts'
import { repeated } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import type { Request } from '../../http/message.ts'
import { isObject } from '../../json/exact.ts'
import type { View } from '../../output/document.ts'
import { undocumented } from '../../output/views.ts'
import { read, type Shown } from '../../result.ts'
import { assignment } from '../../values/assignment.ts'
import { listed, listedWhere, type Paging } from './paging.ts'

export const parameters = {
  param: repeated(assignment, 'KEY=VALUE', 'a query parameter that the service does not document'),
}

type PagingOptions = Pick<Paging, 'pageSize' | 'offset' | 'where'>

/** No default values, because these parameters are undocumented. */
export function pagingParams({ pageSize, offset, where }: PagingOptions): [string, string][] {
  return [
    ...(pageSize === undefined ? [] : [['limit', String(pageSize)] satisfies [string, string]]),
    ...(offset === undefined || where.length > 0 ? [] : [['offset', String(offset)] satisfies [string, string]]),
  ]
}

/** Activity has numbered pages. Throws `UsageError` for an offset inside a page. */
export function activityParams({ pageSize, offset, where }: PagingOptions): [string, string][] {
  if (!offset || where.length > 0) return pagingParams({ pageSize, offset: undefined, where })
  if (pageSize === undefined || offset % pageSize !== 0) {
    throw new UsageError('Activity comes in numbered pages, and none starts at that offset', {
      hint: 'Give --page-size as well, and a multiple of it as --offset',
    })
  }
  return [...pagingParams({ pageSize, offset: undefined, where }), ['page', String(offset / pageSize + 1)]]
}

interface How {
  readonly view: View
  readonly optionForAll: string
  /** What is said of an object without members. */
  readonly empty: string
  readonly source: RowSource
}

const usual: How = { view: undocumented, optionForAll: '--all', empty: 'Nothing found', source: { documented: [] } }

export async function untypedResponse(
  context: Context,
  request: Request,
  options: Paging,
  how: Partial<How> = {},
): Promise<Shown> {
  const { view, optionForAll, empty, source } = { ...usual, ...how }
  const { client, now } = await context.connect()
  const { item, status } = await client.answer(request)
  if (!item) throw unexpectedAnswer(request, 'an empty body', { status })
  if (pageIn(item)) {
    const open = (reading: Reading) => list(client, request, reading, item)
    if (options.where.length === 0) return listed(context, open, view, options, optionForAll)
    return listedWhere(context, { open, source, now: now() }, view, options)
  }
  if (options.where.length > 0) {
    throw new UsageError('--where selects rows, and the answer is no list', { hint: 'Leave --where out' })
  }
  const isEmpty = isObject(item.value) && Object.keys(item.value).length === 0
  return read({ document: { shape: 'object', batches: [[item]], view } }, () => {
    if (isEmpty) context.messages.notice(empty)
  })
}
