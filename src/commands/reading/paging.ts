import type { EndpointInput } from '../../api/client.ts'
import type { Endpoint } from '../../api/endpoints.ts'
import { type List, list, type Reading } from '../../api/pages.ts'
import { type RowSource, rowSource, selectRows } from '../../api/select-rows.ts'
import { flag, type OptionsOf, option, repeated } from '../../cli/options.ts'
import type { Context } from '../../context.ts'
import type { UsageError } from '../../errors.ts'
import { isMistake } from '../../filters/excluded.ts'
import { pathFilter } from '../../filters/filter.ts'
import { unheldInRecords } from '../../filters/record-filter.ts'
import { sentence } from '../../messages/messages.ts'
import type { View } from '../../output/document.ts'
import { read, type Shown } from '../../result.ts'
import { countOf, grouped } from '../../text/grouped.ts'
import { atLeast, between } from '../../values/kinds.ts'

export const paging = {
  limit: option(atLeast(1), 'N', 'maximum number of rows'),
  all: flag('every row, page after page'),
  pageSize: option(between(1, 10_000), 'N', 'rows per request, at most 10,000'),
  offset: option(atLeast(0), 'N', 'number of rows to skip'),
  where: repeated(pathFilter, 'FILTER', 'only rows such as tags~beta, created_at>-7d or !tag'),
}

export type Paging = OptionsOf<typeof paging>

interface ListOptions<E extends Endpoint> {
  readonly list: E
  readonly input: EndpointInput<E>
  readonly view: View
  readonly largePage: number
  readonly keep?: Reading['keep']
}

/** Sends no request before the result is printed. */
export async function listing<E extends Endpoint>(
  context: Context,
  what: ListOptions<E>,
  options: Paging,
): Promise<Shown> {
  const { client, now } = await context.connect()
  const offset = options.where.length > 0 ? undefined : options.offset
  const query = { ...what.input.query, limit: pageSize(options, what.largePage), offset }
  const request = client.request(what.list, { ...what.input, query } as EndpointInput<E>)
  const source = rowSource(client, what.list, what.input.path, options.where)
  const open = (reading: Reading) => list(client, request, { ...reading, keep: what.keep })
  if (options.where.length > 0) return listedWhere(context, { open, source, now: now() }, what.view, options)
  return listed(context, open, what.view, options)
}

interface FilteredList {
  readonly open: (reading: Reading) => List
  readonly source: RowSource
  readonly now: number
}

/** A list of which no page is left to ask for. */
export function wholeList(batches: List['batches']): List {
  const seen = { rows: 0, count: undefined, isCapped: false, more: false }
  return { batches, seen: () => seen }
}

/** Reads until enough rows match the filters, which this program checks. */
export function listedWhere(
  context: Context,
  { open, source, now }: FilteredList,
  view: View,
  options: Pick<Paging, 'limit' | 'where'> & Partial<Paging>,
): Shown {
  const { limit, offset, where: filters } = options
  const rows = open({ follow: true, onRepeat: () => warnRepeat(context) })
  const { batches, seen, looked, unheld, isWhole, likelyCause } = selectRows(rows, {
    filters,
    source,
    now,
    limit,
    offset,
  })
  const document = { shape: 'list', batches, view } as const
  return read({ document }, () => {
    const { rows, more, count } = seen()
    const found = countOf(rows, 'row that matches', 'rows that match')
    const verb = count === 1 ? 'matches' : 'match'
    context.messages.notice(
      more
        ? `Showing ${found}, and there may be more (use a larger --limit)`
        : `${grouped(count ?? 0)} of ${countOf(looked(), 'row', 'rows')} ${verb}`,
    )
    const cause = count === 0 ? likelyCause() : undefined
    if (cause) context.messages.notice(cause)
    const mistake = unheld().find(one => one.near !== undefined || (isWhole() && isMistake(one)))
    if (mistake) warnOf(context, unheldInRecords(mistake))
  })
}

/** The rows are already printed. */
export function warnOf({ messages }: Context, { message, facts }: UsageError): void {
  messages.warn(`${sentence(message)} ${facts.hint}`)
}

export function listed(
  context: Context,
  open: (reading: Reading) => List,
  view: View,
  options: Paging,
  optionForAll = '--all',
): Shown {
  const { messages } = context
  const { batches, seen } = open({
    limit: options.limit,
    offset: options.offset,
    follow: options.all || options.limit !== undefined,
    onRepeat: () => warnRepeat(context),
  })
  const document = { shape: 'list', batches, view } as const
  return read({ document }, () => {
    const { rows, count, isCapped, more } = seen()
    if (rows === 0 && !more) messages.notice('Nothing found')
    if (!more || options.all || options.limit !== undefined) return
    // A count that is smaller than the rows is wrong, so it is not shown.
    const shown =
      count !== undefined && count > rows
        ? `${grouped(rows)} of ${isCapped ? 'more than ' : ''}${grouped(count)}`
        : `${grouped(rows)}, and there are more`
    messages.notice(`Showing ${shown} (use ${optionForAll})`)
  })
}

function warnRepeat({ messages }: Context): void {
  messages.warn('The service led back to a page already read, so the list ends there')
}

/** The server chooses how long the one page is that is shown without `--limit` and `--all`. */
function pageSize({ pageSize, where, limit, all }: Paging, largePage: number): number | undefined {
  if (pageSize !== undefined) return pageSize
  if (where.length > 0) return largePage
  if (limit !== undefined) return Math.min(limit, largePage)
  return all ? largePage : undefined
}
