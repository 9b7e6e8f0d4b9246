/**
 * A list read page by page along `next`, which is the only sign of an end: real servers send short pages, even empty
 * ones, with more behind them. Rows come as bytes, in batches, and one page is fetched ahead of the one being read.
 */
import { RejectedError } from '../errors.ts'
import type { Request, Response } from '../http/message.ts'
import { kindOf, textOf } from '../json/pick.ts'
import type { Item } from '../json/slice.ts'
import { addressOfRequest, unexpectedAnswer } from './answer.ts'
import type { Client } from './client.ts'
import { open, type Page, type Rows } from './page.ts'

export interface Reading {
  /** Rows wanted in all; undefined: no bound. */
  readonly limit?: number | undefined
  /** Whether to go on along `next`. Without it one page is read. */
  readonly follow: boolean
  /** Told when `next` leads back to a page already read; reading ends there. */
  readonly onRepeat?: (() => void) | undefined
}

export interface List {
  /** To be read once. */
  readonly batches: AsyncIterable<readonly Item[]>
  /** What is known once the batches have been read. */
  seen(): Seen
}

/** Members of the pages around their rows, as raw JSON; `null` where the service does not say. */
export interface Seen {
  readonly rows: number
  /** How many the service has in all: the first page's `count` or `total_count`. */
  readonly count: string
  /** The last page's. */
  readonly next: string
  /** The first page's. */
  readonly previous: string
  /** Whether the service has rows behind those read. */
  readonly more: boolean
}

/**
 * Reads the list that `first` asks for, and sends nothing before its batches are read. `answered`: the body of its
 * answer, where that has come already.
 */
export function list(client: Client, first: Request, reading: Reading, answered?: Response['body']): List {
  const limit = reading.limit ?? Number.POSITIVE_INFINITY
  let rows = 0
  let cut = false
  let empty = 0
  let firstPage: Rows | undefined
  let lastPage: Rows | undefined

  async function* batches(): AsyncGenerator<readonly Item[]> {
    const asked = new Set([canonical(first.url)])
    let page: Page | undefined = open(client, first, answered)
    while (page) {
      const current: Page = page
      let ahead: Promise<Page | undefined> | undefined
      const turn = () => {
        ahead ??= after(current, asked)
        // It may fail while this page is still being read; whoever awaits it learns of that.
        ahead.catch(() => undefined)
        return ahead
      }
      // As soon as this page says where the next one is; but not before the first rows were given away.
      if (rows > 0 && limit === Number.POSITIVE_INFINITY) turn()
      const arrived: Rows = await current.rows
      firstPage ??= arrived
      lastPage = arrived
      const before = rows
      const goesOn = limit === Number.POSITIVE_INFINITY || rows + (arrived.length ?? limit) < limit
      for await (const batch of arrived.batches) {
        const wanted = batch.slice(0, limit - rows)
        rows += wanted.length
        cut = wanted.length < batch.length
        if (wanted.length > 0) yield wanted
        if (rows >= limit) return
        if (rows > 0 && goesOn) turn()
      }
      empty = rows > before ? 0 : empty + 1
      if (empty > mostEmpty) throw endless(first)
      page = await turn()
    }
  }

  /** Asks for the page after one that may still be coming. */
  async function after({ next }: Page, asked: Set<string>): Promise<Page | undefined> {
    const request = reading.follow ? following(first, await next, asked, reading.onRepeat) : undefined
    return request && open(client, request)
  }

  return {
    batches: batches(),
    seen: () => ({
      rows,
      count: raw(firstPage, 'count') ?? raw(firstPage, 'total_count') ?? 'null',
      next: raw(lastPage, 'next') ?? 'null',
      previous: raw(firstPage, 'previous') ?? 'null',
      more: cut || (raw(lastPage, 'next') ?? 'null') !== 'null',
    }),
  }
}

/** Servers that filter late send empty pages with more behind them; so many in a row are no list. */
const mostEmpty = 10_000

function endless(first: Request): RejectedError {
  return new RejectedError('The service leads from one empty page to the next without end', addressOfRequest(first))
}

/** The request for the next page: the query of `next` at our own address, whatever host that names. */
function following(
  first: Request,
  next: Item | undefined,
  asked: Set<string>,
  onRepeat?: () => void,
): Request | undefined {
  if (!next || kindOf(next) === 'null') return undefined
  const link = kindOf(next) === 'string' ? textOf(next) : undefined
  if (link === undefined || !URL.canParse(link, first.url.href)) {
    throw unexpectedAnswer(first, 'its next page has no address')
  }
  const url = new URL(first.url)
  url.search = new URL(link, first.url).search
  const query = canonical(url)
  if (asked.has(query)) {
    onRepeat?.()
    return undefined
  }
  asked.add(query)
  return { ...first, url }
}

/** The query without the accidents of its spelling: servers reorder and encode their own way. */
function canonical(url: URL): string {
  const query = new URLSearchParams(url.search)
  query.sort()
  return query.toString()
}

function raw(page: Rows | undefined, member: string): string | undefined {
  const value = page?.members().get(member)?.toString()
  return value === 'null' ? undefined : value
}
