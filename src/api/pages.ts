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
  /** Rows to skip in a bare array, in which the service ignores the offset; that of a page is in the request. */
  readonly offset?: number | undefined
  readonly follow: boolean
  readonly hintOnNoList?: string | undefined
  /** Called if `next` repeats a page; reading stops there. */
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
  readonly next: string
  readonly previous: string
  readonly more: boolean
}

/** Sends nothing before its batches are read. */
export function list(client: Client, first: Request, reading: Reading, answered?: Response['body']): List {
  const limit = reading.limit ?? Number.POSITIVE_INFINITY
  let rows = 0
  let cut: Cut | undefined
  let empty = 0
  let firstPage: Rows | undefined
  let lastPage: Rows | undefined

  async function* batches(): AsyncGenerator<readonly Item[]> {
    const asked = new Set([await canonical(first.url)])
    let page: Page | undefined = open(client, first, { answered, hintOnNoList: reading.hintOnNoList })
    while (page) {
      const current: Page = page
      let ahead: Promise<Page | undefined> | undefined
      const turn = () => {
        ahead ??= after(current, asked)
        // It may fail while this page is still read.
        ahead.catch(() => undefined)
        return ahead
      }
      if (rows > 0 && limit === Number.POSITIVE_INFINITY) turn()
      const arrived: Rows = await (firstPage ? current.rows.catch(refuseMissingPage) : current.rows)
      firstPage ??= arrived
      lastPage = arrived
      const before = rows
      const goesOn = limit === Number.POSITIVE_INFINITY || rows + (arrived.length ?? limit) < limit
      let skip = arrived.isBareArray ? (reading.offset ?? 0) : 0
      for await (const batch of arrived.batches) {
        const wanted = batch.slice(skip, skip + limit - rows)
        rows += wanted.length
        cut = skip + wanted.length < batch.length ? { url: current.url, shown: rows - before } : undefined
        skip = Math.max(0, skip - batch.length)
        if (wanted.length > 0) yield wanted
        if (rows >= limit) return
        if (rows > 0 && goesOn) turn()
      }
      empty = rows > before ? 0 : empty + 1
      if (empty > mostEmpty) throw endless(first)
      page = await turn()
    }
    if (reading.follow) refuseDoubtfulEnd()
  }

  /** A page without `next` ends a list too, unless it says that it is not all. */
  function refuseDoubtfulEnd(): void {
    const members = lastPage?.members()
    if (!members || members.has('next')) return
    const count = Number(raw(lastPage, 'count') ?? raw(lastPage, 'total_count'))
    const read = rows + Number(first.url.searchParams.get('offset') ?? 0)
    // The number of rows before a numbered page is not known.
    if (count > read && !first.url.searchParams.has('page')) {
      throw unexpectedAnswer(first, `a page without next, although the list has ${count} items and ${read} came`)
    }
  }

  async function after({ next }: Page, asked: Set<string>): Promise<Page | undefined> {
    const request = reading.follow ? await following(first, await next, asked, reading.onRepeat) : undefined
    return request && open(client, request)
  }

  function seen(): Seen {
    const next = raw(lastPage, 'next')
    return {
      rows,
      count: raw(firstPage, 'count') ?? raw(firstPage, 'total_count') ?? 'null',
      next: (cut ? addressOfRest(first, cut, next) : next) ?? 'null',
      previous: raw(firstPage, 'previous') ?? 'null',
      more: cut !== undefined || next !== undefined,
    }
  }

  return { batches: batches(), seen }
}

/** A page of which not all rows are given. */
interface Cut {
  readonly url: URL
  /** How many of its rows are. */
  readonly shown: number
}

/** As JSON: where a list by offset goes on behind the rows that are given; of another list the page that was cut. */
function addressOfRest(first: Request, { url, shown }: Cut, next: string | undefined): string {
  const link = next?.startsWith('"') ? parseUrl(JSON.parse(next), first.url) : url
  const rest = new URL(url)
  const begin = rest.searchParams.get('offset')
  const isByOffset = link?.searchParams.has('offset') || (link === url && (begin !== null || url === first.url))
  if (isByOffset) rest.searchParams.set('offset', String(Number(begin) + shown))
  return JSON.stringify(rest.href)
}

/** Servers that filter late send empty pages; after this many in a row we stop. */
const mostEmpty = 10_000

function endless(first: Request): RejectedError {
  return new RejectedError('The service leads from one empty page to the next without end', addressOfRequest(first))
}

/** The list was there for its first page, so that a 404 is about the page. */
function refuseMissingPage(error: unknown): never {
  if (!(error instanceof NotFoundError)) throw error
  const hint = 'What came before it is not the whole list'
  throw new RejectedError('The list goes on at a page that was not found (404)', { ...error.facts, hint })
}

/** Uses only the query of `next`, since servers name internal hosts there. */
async function following(
  first: Request,
  next: Item | undefined,
  asked: Set<string>,
  onRepeat?: () => void,
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

/** Servers reorder and encode a query. A very long one becomes a digest, so that memory does not grow with the pages. */
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
