import type { LazyResponse } from '../api/client.ts'
import { list } from '../api/pages.ts'
import { flag, type OptionsOf, option, repeated } from '../cli/command.ts'
import type { Context, Result } from '../context.ts'
import type { RowCheck } from '../filters/check-rows.ts'
import { type Filter, pathFilter } from '../filters/filter.ts'
import type { PersonFilter } from '../filters/person-filter.ts'
import type { Request } from '../http/message.ts'
import { type CollectionSpec, pathIn, rowCheckOf } from '../operations/collections.ts'
import type { View } from '../output/views.ts'
import { grouped } from '../text/grouped.ts'
import { atLeast, between } from '../values/kinds.ts'

export const paging = {
  limit: option(atLeast(1), 'N', 'show at most N rows'),
  all: flag('read all pages'),
  pageSize: option(between(1, 10_000), 'N', 'request N rows at a time, at most 10,000'),
  offset: option(atLeast(0), 'N', 'skip the first N rows'),
  where: repeated(pathFilter, 'FILTER', "show rows that match, such as 'created_at>-7d'"),
}

type Paging = OptionsOf<typeof paging>

interface Listing {
  readonly filter: PersonFilter
  readonly query: object
  readonly serverFilters: readonly Filter[] | undefined
}

/** Sends requests only while the result is printed. */
export async function listCollection(
  context: Context,
  facts: CollectionSpec,
  options: Paging,
  { filter, query, serverFilters }: Listing = { filter: { where: options.where }, query: {}, serverFilters: undefined },
): Promise<Result> {
  const connection = await context.connect()
  const { client } = connection
  const path = await pathIn(connection, facts)
  const { where } = filter
  const isFiltered = where.length > 0
  const { offset } = options
  const check = rowCheckOf(connection, facts, path, { filter, serverFilters, offset: isFiltered ? offset : 0 })
  const limit = pageSizeFor({ ...options, where }, facts.largePage)
  const request = client.request(facts.list, {
    path,
    query: { ...query, limit, offset: isFiltered ? undefined : offset },
  })
  return resultOfList(context, request, { ...options, where }, { view: facts.view, check })
}

interface Shown {
  readonly view: View
  readonly check?: RowCheck
  /** The first page, if it is read already. */
  readonly received?: LazyResponse
}

/** With `--where`, reads until enough rows match. */
export async function resultOfList(
  { messages, connect }: Context,
  request: Request,
  { limit, offset, all = false, where = [] }: Partial<Paging>,
  { view, check, received }: Shown,
): Promise<Result> {
  const { client } = await connect()
  const isFiltered = where.length > 0
  const reading = {
    limit,
    offset: isFiltered ? undefined : offset,
    follow: all || isFiltered || limit !== undefined,
    keep: check?.keep,
    onRepeat: () => messages.warn('The server repeated a page, so the list ends here'),
  }
  const { batches, summary } = list(client, request, reading, received)
  async function* checked() {
    yield* batches
    check?.end()
  }
  const end = () => {
    const { rows, count, isCapped, more } = summary()
    const warning = check?.ignoredWarning()
    if (warning !== undefined) messages.warn(warning)
    if (rows === 0 && !more) return messages.notice('Nothing found')
    if (isFiltered || !more || all || limit !== undefined) return
    // Some servers send a count that is smaller than the number of rows.
    const shown =
      count !== undefined && count > rows
        ? `${grouped(rows)} of ${isCapped ? 'more than ' : ''}${grouped(count)}`
        : `${grouped(rows)}; there are more`
    // A row of these views can be several persons in the table, so their number is unknown.
    messages.notice(`Showing ${view.unfold ? 'the first page' : shown} (use --all)`)
  }
  return { data: { rows: checked(), isOne: false, view }, end }
}

/** Undefined for a single page, whose length the server chooses. */
function pageSizeFor({ pageSize, where, limit, all }: Paging, largePage: number): number | undefined {
  if (pageSize !== undefined) return pageSize
  if (where.length > 0) return largePage
  if (limit !== undefined) return Math.min(limit, largePage)
  return all ? largePage : undefined
}
