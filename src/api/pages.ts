/** Only `next: null` ends a list: servers send short and empty pages before the end. */
import { NotFoundError, RejectedError } from '../errors.ts'
import type { Request } from '../http/message.ts'
import type { Json, JsonObject } from '../json/exact.ts'
import { type Item, sliceArray, sliceObject } from '../json/read-item.ts'
import { saveMemory } from '../memory.ts'
import { parseUrl } from '../values/url.ts'
import type { Client, LazyResponse } from './client.ts'
import { saysError, unexpectedResponse } from './responses/response.ts'

interface PagingOptions {
  readonly limit?: number | undefined
  /** Rows to skip in a bare array, where the service ignores `offset`; for a page, the request has it. */
  readonly offset?: number | undefined
  readonly follow: boolean
  /** Targets depend on it: refuses a list that is not a page. */
  readonly isStrict?: boolean
  readonly keep?: ((rows: readonly Item[]) => Promise<readonly Item[]>) | undefined
  /** Called if `next` repeats a page; reading ends there. Without it, that is a `RejectedError`: rows may be missing. */
  readonly onRepeat?: (() => void) | undefined
}

interface ListSummary {
  rows: number
  count: number | undefined
  /** The server stopped counting at `count`. */
  isCapped: boolean
  more: boolean
}

/** Sends no request before its batches are read. The next page is requested while one is processed. */
export function list(client: Client, first: Request, reading: PagingOptions, received?: LazyResponse) {
  const { limit = Number.POSITIVE_INFINITY, offset = 0, isStrict, keep } = reading
  const onRepeat = reading.onRepeat ?? (() => refuseEndless('a page twice'))
  const summary: ListSummary = { rows: 0, count: undefined, isCapped: false, more: false }
  const requested = new Set([canonical(first.url)])
  let latest: { readonly query: string; readonly response: Promise<LazyResponse> } | undefined

  async function* batches(): AsyncGenerator<readonly Item[]> {
    let response = received ?? (await client.lazyResponse(first))
    await requestEarly(response)
    let page = parsePage(first, response)
    if (isStrict && page.isBareArray) throw unexpectedResponse(first, 'a list instead of a page')
    const { count, total_count, count_is_capped } = page.envelope
    summary.count = [count, total_count].find(one => typeof one === 'number')
    summary.isCapped = count_is_capped === true
    const before = first.url.searchParams
    // The number of rows before a numbered page is unknown.
    let rowsRead = before.has('page') ? Number.POSITIVE_INFINITY : Number(before.get('offset') ?? 0)
    let withoutNewRows = page.rows.length === 0 ? 1 : 0
    for (;;) {
      const rows = page.isBareArray ? page.rows.slice(offset) : page.rows
      rowsRead += rows.length
      const kept = (await keep?.(rows)) ?? rows
      const shown = kept.slice(0, limit - summary.rows)
      summary.rows += shown.length
      const next = following(first, page.envelope.next)
      // A page without `next` ends a list, unless its count is larger than the rows read.
      const lacksNext = !page.isBareArray && page.envelope.next === undefined
      const isDoubtful = lacksNext && (summary.count ?? 0) > rowsRead
      summary.more = shown.length < kept.length || next !== undefined || isDoubtful
      if (isDoubtful && reading.follow && summary.rows < limit) {
        throw unexpectedResponse(first, `the last page ended after ${rowsRead} of ${summary.count} items`)
      }
      const nextPage = reading.follow && summary.rows < limit ? next && unlessRepeated(next) : undefined
      const ahead = nextPage && requestPage(nextPage)
      if (ahead) await saveMemory(summary.rows)
      if (shown.length > 0) yield shown
      if (!ahead) return
      const former = page
      response = await ahead
      await requestEarly(response)
      page = parsePage(nextPage, response)
      withoutNewRows = isRepeated(page, former) ? withoutNewRows + 1 : 0
      if (withoutNewRows === mostWithoutNewRows)
        refuseEndless(`${mostWithoutNewRows} empty or identical pages in a row`)
    }
  }

  /** Sends a page's request once, even if `requestEarly` sent it. */
  function requestPage(next: Request): Promise<LazyResponse> {
    const query = canonical(next.url)
    if (latest?.query === query) return latest.response
    const response = client.lazyResponse(next).catch(refuseMissingPage)
    // It may fail while the page before is still processed.
    response.catch(() => undefined)
    latest = { query, response }
    return response
  }

  /** Requests the next page before this one is parsed, if all pages are needed: parsing takes half as long as many servers do. */
  async function requestEarly({ body }: LazyResponse): Promise<void> {
    const isWanted = reading.follow && limit === Number.POSITIVE_INFINITY
    const next = isWanted ? following(first, linkBeforeRows(body)) : undefined
    if (!next || requested.has(canonical(next.url))) return
    void requestPage(next)
    // undici sends it in the second turn of the event loop.
    for (let turns = 0; turns < 2; turns++) await new Promise(resolve => setImmediate(resolve))
  }

  function unlessRepeated(next: Request): Request | undefined {
    const query = canonical(next.url)
    if (requested.has(query)) return void onRepeat()
    requested.add(query)
    return next
  }

  return { batches: batches(), summary: (): Readonly<ListSummary> => summary }
}

function refuseEndless(what: string): never {
  throw new RejectedError(`The server sent ${what}: the list has no end`, {
    hint: 'Use --limit for fewer rows, or give ids',
  })
}

function parsePage(request: Request, response: LazyResponse): Page {
  const { item, status } = response.read()
  const page = item && pageIn(item)
  if (!page) throw unexpectedResponse(request, 'no list', { status, hint: 'Check the path and the base URL' })
  if (isErrorPage(page)) throw unexpectedResponse(request, 'an error instead of a page', { status })
  return page
}

interface Page {
  readonly rows: readonly Item[]
  readonly isBareArray: boolean
  readonly envelope: JsonObject<Json>
}

/** A bare list, or the one in `results` (`result` of the retention view). */
export function pageIn(item: Item): Page | undefined {
  if (item.kind === 'list') return { rows: sliceArray(item), isBareArray: true, envelope: {} }
  const members = sliceObject(item)
  const list = [members.get('results'), members.get('result')].find(one => one?.kind === 'list')
  if (!list) return undefined
  const others = Array.from(members).filter(([, one]) => one !== list)
  const envelope = Object.fromEntries(others.map(([name, { value }]) => [name, value]))
  return { rows: sliceArray(list), isBareArray: false, envelope }
}

/** A page that has rows may contain a remark in `detail`. */
export function isErrorPage({ envelope, rows }: Page): boolean {
  const { detail, ...others } = envelope
  return saysError(rows.length > 0 && envelope.next !== undefined ? others : envelope)
}

/** Finds `next` before the rows, where nearly all servers write it. */
function linkBeforeRows(body: Buffer): string | undefined {
  const start = body.toString('latin1', 0, 4096)
  return /^\s*\{(?:\s*"\w+"\s*:\s*(?:"[^"\\]*"|[\w.+-]+)\s*,)*?\s*"next"\s*:\s*"([!#-[\]-~]*)"/.exec(start)?.[1]
}

/** The first page was found, so this 404 is about a later page. */
function refuseMissingPage(error: unknown): never {
  if (!(error instanceof NotFoundError)) throw error
  const hint = 'The list is incomplete'
  throw new RejectedError('The next page of the list was not found (404)', { ...error.details, hint })
}

/**
 * Servers send empty pages before the end, and a list in motion may show the same row twice. Some never end, because they ignore
 * the offset.
 */
const mostWithoutNewRows = 100

function isRepeated({ rows }: Page, former: Page): boolean {
  return rows.length === 0 || (rows[0]?.text === former.rows[0]?.text && rows.at(-1)?.text === former.rows.at(-1)?.text)
}

/** Uses only the query of `next`, since its host may be an internal name. */
function following(first: Request, next: Json | undefined): Request | undefined {
  if (next === undefined || next === null) return undefined
  const link = typeof next === 'string' ? parseUrl(next, first.url) : undefined
  if (!link) throw unexpectedResponse(first, 'the next link of the page is not a URL')
  const url = new URL(first.url)
  url.search = link.search
  return { ...first, url }
}

function canonical(url: URL): string {
  const query = new URLSearchParams(url.search)
  query.sort()
  return query.toString()
}
