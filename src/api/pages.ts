/**
 * A list read page by page along `next`, which is the only sign of an end: real servers send short pages, even empty
 * ones, with more behind them. Rows come as bytes, in batches, and one page is fetched ahead of the one being read.
 */
import { RejectedError } from '../errors.ts'
import type { Request, Response } from '../http/message.ts'
import { kindOf, textOf } from '../json/pick.ts'
import { type Item, Slicer } from '../json/slice.ts'
import { type Client, notService } from './client.ts'

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
  let firstPage: Page | undefined
  let lastPage: Page | undefined

  async function* batches(): AsyncGenerator<readonly Item[]> {
    const asked = new Set([canonical(first.url)])
    let opened: Promise<Page | undefined> | undefined = open(client, first, answered)
    while (opened) {
      const page: Page | undefined = await opened
      if (!page) return
      opened = undefined
      firstPage ??= page
      lastPage = page
      const turn = () => {
        opened = behind(page, asked)
        // It may fail while this page is still being read; whoever awaits it learns of that.
        opened.catch(() => undefined)
      }
      const before = rows
      const end = rows + (page.length ?? Number.POSITIVE_INFINITY)
      // Not before the first rows were given away, and only if this page is not enough.
      const turnEarly = () => {
        if (!opened && rows > 0 && end < limit) turn()
      }
      turnEarly()
      for await (const batch of page.batches) {
        const wanted = batch.slice(0, limit - rows)
        rows += wanted.length
        cut = wanted.length < batch.length
        if (wanted.length > 0) yield wanted
        if (rows >= limit) return
        turnEarly()
      }
      empty = rows > before ? 0 : empty + 1
      if (empty > mostEmpty) throw endless(first)
      if (!opened) turn()
    }
  }

  async function behind(page: Page, asked: Set<string>): Promise<Page | undefined> {
    const request = reading.follow ? following(first, page, asked, reading.onRepeat) : undefined
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
  return new RejectedError('The service leads from one empty page to the next without end', facts(first))
}

interface Page {
  readonly batches: Iterable<readonly Item[]> | AsyncIterable<readonly Item[]>
  /** How many rows it holds, where that is known before they are read. */
  readonly length: number | undefined
  /** The members around the rows, complete once the batches have been read. */
  members(): ReadonlyMap<string, Item>
}

/** A page of up to so many bytes is sliced before its rows are given away: then its `next` is known as well. */
const held = 8 * 1024 * 1024

async function open(client: Client, request: Request, answered?: Response['body']): Promise<Page> {
  const body = answered ?? (await client.send(request)).body
  const chunks = body[Symbol.asyncIterator]()
  const slicer = new Slicer()
  const ready: Item[] = []
  let members: ReadonlyMap<string, Item> = new Map()
  let ended = false

  const step = async (): Promise<Item[]> => {
    const { done, value } = await chunks.next()
    if (!done) return slicer.push(value)
    ended = true
    const envelope = slicer.end()
    if (!envelope.found)
      throw new RejectedError('The answer holds no list', { ...facts(request), hint: 'Check the base URL' })
    members = envelope.members
    return []
  }
  const careful = () => step().catch((error: unknown) => Promise.reject(notService(request, error)))

  for (let bytes = 0; !ended && bytes < held; ) {
    const batch = await careful()
    for (const item of batch) {
      ready.push(item)
      // The smallest take so much of the memory.
      bytes += item.length + 100
    }
  }
  // One batch: what a renderer makes of a page must not depend on how the network cut it.
  if (ended) return { batches: [ready], length: ready.length, members: () => members }

  async function* streaming() {
    try {
      yield ready
      while (!ended) yield await careful()
    } finally {
      await chunks.return?.()
    }
  }
  return { batches: streaming(), length: undefined, members: () => members }
}

/** The request for the page behind this one: the query of its `next` at our own address, whatever host that names. */
function following(first: Request, page: Page, asked: Set<string>, onRepeat?: () => void): Request | undefined {
  const next = page.members().get('next')
  if (!next || kindOf(next) === 'null') return undefined
  const link = kindOf(next) === 'string' ? textOf(next) : undefined
  if (link === undefined || !URL.canParse(link, first.url.href)) {
    throw new RejectedError("The answer is not the service's: its next page has no address", facts(first))
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

function raw(page: Page | undefined, member: string): string | undefined {
  const value = page?.members().get(member)?.toString()
  return value === 'null' ? undefined : value
}

function facts(request: Request) {
  return { method: request.method, url: request.url.origin + request.url.pathname }
}
