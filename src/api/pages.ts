/** Only `next: null` ends a list: servers send short and empty pages before the end. */
import { NotFoundError, RejectedError } from '../errors.ts'
import type { Request, Response } from '../http/message.ts'
import type { Item } from '../json/item.ts'
import { kindOf, textOf } from '../json/pick.ts'
import { parseUrl } from '../values/url.ts'
import { addressOfRequest, unexpectedAnswer } from './answers/answer.ts'
import type { Client } from './client.ts'
import { open, type Page, type Rows } from './page.ts'

export interface Reading {
  readonly limit?: number | undefined
  /** Rows to skip in a bare array, where the service ignores `offset`; for a page, the request has it. */
  readonly offset?: number | undefined
  readonly follow: boolean
  readonly hintOnNoList?: string | undefined
  /** What is changed depends on it: refuses a list that is no page, and the same rows for ever, as sent by a server that ignores the offset. */
  readonly isStrict?: boolean
  /** Returns the rows that count; the others are left out. */
  readonly keep?: ((rows: readonly Item[]) => Promise<readonly Item[]>) | undefined
  /** Called if `next` repeats a page; reading ends there. */
  readonly onRepeat?: (() => void) | undefined
}

export interface List {
  readonly batches: AsyncIterable<readonly Item[]>
  seen(): Seen
}

export interface Seen {
  readonly rows: number
  /** `count` or `total_count` of the first page. */
  readonly count: string
  /** There are more than `count` says: counting takes servers long. */
  readonly isCapped: boolean
  readonly next: string
  readonly previous: string
  readonly more: boolean
}

/** Sends no request before its batches are read. */
export function list(client: Client, first: Request, reading: Reading, answered?: Response['body']): List {
  const limit = reading.limit ?? Number.POSITIVE_INFINITY
  let rows = 0
  let read = 0
  let cut: Cut | undefined
  let firstPage: Rows | undefined
  let lastPage: Rows | undefined

  async function* batches(): AsyncGenerator<readonly Item[]> {
    const asked = new Set([await canonical(first.url)])
    const refuseEndless = watchEnds(first, reading.isStrict ?? false)
    let page: Page | undefined = open(client, first, { answered, hintOnNoList: reading.hintOnNoList })
    while (page) {
      const current: Page = page
      let ahead: Promise<Page | undefined> | undefined
      const openNext = () => {
        ahead ??= after(current, asked)
        // The request may fail while this page is still read.
        ahead.catch(() => undefined)
        return ahead
      }
      if (rows > 0 && limit === Number.POSITIVE_INFINITY) openNext()
      const arrived: Rows = await (firstPage ? current.rows.catch(refuseMissingPage) : current.rows)
      if (reading.isStrict && arrived.isBareArray) throw unexpectedAnswer(first, 'a list instead of a page')
      firstPage ??= arrived
      lastPage = arrived
      const before = read
      const goesOn = limit === Number.POSITIVE_INFINITY || rows + (arrived.length ?? limit) < limit
      let skip = arrived.isBareArray ? (reading.offset ?? 0) : 0
      let own: Ends | undefined
      for await (const batch of arrived.batches) {
        own = endsOf(batch, own)
        const arriving = batch.slice(skip)
        const kept = (await reading.keep?.(arriving)) ?? arriving
        const wanted = kept.slice(0, limit - rows)
        const [unwanted] = kept.slice(wanted.length)
        rows += wanted.length
        read += unwanted ? arriving.indexOf(unwanted) : arriving.length
        cut = unwanted && { url: current.url, shown: read - before }
        skip = Math.max(0, skip - batch.length)
        if (wanted.length > 0) yield wanted
        if (rows >= limit) return
        if (rows > 0 && goesOn) openNext()
      }
      refuseEndless(own)
      page = await openNext()
    }
    const doubt = reading.follow ? doubtfulEnd() : undefined
    if (doubt) {
      const { count, reached } = doubt
      throw unexpectedAnswer(first, `a page without next, although the list has ${count} items and ${reached} came`)
    }
  }

  /** A page without `next` ends a list too, unless its count is larger. */
  function doubtfulEnd() {
    const members = lastPage?.members()
    // For a numbered page, the number of rows before it is unknown.
    if (!members || members.has('next') || first.url.searchParams.has('page')) return undefined
    const count = Number(raw(lastPage, 'count') ?? raw(lastPage, 'total_count'))
    const reached = read + Number(first.url.searchParams.get('offset') ?? 0)
    return count > reached ? { count, reached } : undefined
  }

  async function after({ next }: Page, asked: Set<string>): Promise<Page | undefined> {
    const request = reading.follow ? await following(first, await next, asked, reading.onRepeat) : undefined
    return request && open(client, request, { answered: undefined, hintOnNoList: undefined })
  }

  function seen(): Seen {
    const next = raw(lastPage, 'next')
    return {
      rows,
      count: raw(firstPage, 'count') ?? raw(firstPage, 'total_count') ?? 'null',
      isCapped: raw(firstPage, 'count_is_capped') === 'true',
      next: (cut ? addressOfRest(first, cut, next) : next) ?? 'null',
      previous: raw(firstPage, 'previous') ?? 'null',
      more: cut !== undefined || next !== undefined || doubtfulEnd() !== undefined,
    }
  }

  return { batches: batches(), seen }
}

interface Cut {
  readonly url: URL
  readonly shown: number
}

/** Returns JSON: in a list by offset the address after the last row given, otherwise the address of the cut page. */
function addressOfRest(first: Request, { url, shown }: Cut, next: string | undefined): string {
  const link = next?.startsWith('"') ? parseUrl(JSON.parse(next), first.url) : url
  const rest = new URL(url)
  const begin = rest.searchParams.get('offset')
  const isByOffset = link?.searchParams.has('offset') || (link === url && (begin !== null || url === first.url))
  if (isByOffset) rest.searchParams.set('offset', String(Number(begin) + shown))
  return JSON.stringify(rest.href)
}

/** Some servers filter after paging and send empty pages; reading stops after this many in a row. */
const mostEmpty = 10_000

/** Equal pages in a row. */
const mostRepeated = 100

/** The returned function is called after each page; it throws `RejectedError` for a list that does not end. */
function watchEnds(first: Request, isStrict: boolean): (page: Ends | undefined) => void {
  let empty = 0
  let repeated = 0
  let former: Ends | undefined
  const endless = (what: string) => new RejectedError(`The service sends ${what} without end`, addressOfRequest(first))
  return page => {
    empty = page ? 0 : empty + 1
    if (empty > mostEmpty) throw endless('empty pages')
    repeated = isSame(page, former) ? repeated + 1 : 0
    if (isStrict && repeated > mostRepeated) throw endless('the same page')
    former = page && { first: Buffer.from(page.first), last: Buffer.from(page.last) }
  }
}

/** The first and the last row of a page. */
interface Ends {
  readonly first: Item
  readonly last: Item
}

function endsOf(batch: readonly Item[], before: Ends | undefined): Ends | undefined {
  const [first, last] = [before?.first ?? batch[0], batch.at(-1) ?? before?.last]
  return first && last && { first, last }
}

function isSame(a: Ends | undefined, b: Ends | undefined): boolean {
  return a !== undefined && b !== undefined && a.first.equals(b.first) && a.last.equals(b.last)
}

/** The first page was found, so this 404 is about a later page. */
function refuseMissingPage(error: unknown): never {
  if (!(error instanceof NotFoundError)) throw error
  const hint = 'The rows before it are not the whole list'
  throw new RejectedError('The next page of the list was not found (404)', { ...error.facts, hint })
}

/** Uses only the query of `next`, since its host may be an internal name. */
async function following(
  first: Request,
  next: Item | undefined,
  asked: Set<string>,
  onRepeat: (() => void) | undefined,
): Promise<Request | undefined> {
  if (!next || kindOf(next) === 'null') return undefined
  const link = kindOf(next) === 'string' ? parseUrl(textOf(next), first.url) : undefined
  if (!link) throw unexpectedAnswer(first, 'its next page has no address')
  const url = new URL(first.url)
  url.search = link.search
  const query = await canonical(url)
  if (asked.has(query)) {
    onRepeat?.()
    return undefined
  }
  asked.add(query)
  return { ...first, url }
}

/** Servers reorder and encode queries. A long query becomes a digest to save memory. */
async function canonical(url: URL): Promise<string> {
  const query = new URLSearchParams(url.search)
  query.sort()
  const text = query.toString()
  if (text.length <= 1000) return text
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(text).digest('base64')
}

function raw(page: Rows | undefined, member: string): string | undefined {
  const value = page?.members().get(member)?.toString()
  return value === 'null' ? undefined : value
}
