/** Pages of a list: `limit`, `offset` and the links to the pages beside it. */
import { sandboxBase } from './base.ts'
import { type Answer, answer, type Call, invalid } from './call.ts'

export interface Window {
  /** What was asked for. */
  readonly limit: number
  readonly offset: number
  /** How many rows the page may hold; fewer than `limit` where pages are to be short. */
  readonly take: number
}

/** The service's document names no default. */
const usual = 100

/** Reads `limit` and `offset`. What is not a number is denied by the contract and ignored in the wild. */
export function windowOf(call: Call, most = Number.MAX_SAFE_INTEGER): Window {
  const limit = Math.min(integer(call, 'limit', 1) ?? usual, most)
  const take = call.share === undefined ? limit : Math.floor(call.share * (limit + 1))
  return { limit, offset: integer(call, 'offset', 0) ?? 0, take }
}

function integer(call: Call, name: string, least: number): number | undefined {
  const text = call.url.searchParams.get(name)
  if (text === null || text === '') return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number
  if (call.dialect === 'observed') return undefined
  throw invalid(name, `A valid integer of at least ${least} is required.`)
}

/** The envelope of a list: `rows` are the JSON texts of the page's items, `count` is how many there are in all. */
export function page(call: Call, window: Window, count: number, rows: readonly string[]): Answer {
  const { next, previous } = links(call, window, count, rows.length)
  return pieces(`{"count":${count},"next":${next},"previous":${previous},"results":[`, rows, ']}')
}

/** The same as servers answer it for persons: they do not count them. */
export function uncountedPage(call: Call, window: Window, count: number, rows: readonly string[]): Answer {
  const { next, previous } = links(call, window, count, rows.length)
  return pieces(`{"next":${next},"previous":${previous},"results":[`, rows, ']}')
}

/** Both links as JSON. */
export function links(call: Call, { limit, offset }: Window, count: number, length: number) {
  const end = offset + length
  return {
    next: end < count ? JSON.stringify(link(call, limit, end, end < offset + limit)) : 'null',
    previous: offset > 0 ? JSON.stringify(link(call, limit, Math.max(0, offset - limit), false)) : 'null',
  }
}

/** The same for pages that are asked for by their number, none of which may be short: the next one begins behind it. */
export function numberedLinks(call: Call, { limit, offset }: Window, count: number) {
  const number = Math.floor(offset / limit) + 1
  const to = (page: number) => {
    const url = new URL(call.url)
    url.searchParams.delete('offset')
    url.searchParams.set('limit', String(limit))
    url.searchParams.set('page', String(page))
    return JSON.stringify(disguise(url, page))
  }
  return { next: offset + limit < count ? to(number + 1) : 'null', previous: number > 1 ? to(number - 1) : 'null' }
}

function link(call: Call, limit: number, offset: number, early: boolean): string {
  const url = new URL(call.url)
  url.searchParams.set('limit', String(limit))
  url.searchParams.set('offset', String(offset))
  // A page without a row leads to one that starts where it did: it still has to be another address.
  if (early) url.searchParams.set('cursor', String(1 + Number(url.searchParams.get('cursor') ?? 0)))
  if (call.dialect === 'documented') return url.href
  return disguise(url, Math.floor(offset / limit))
}

const inProcess = new URL(sandboxBase).origin

/**
 * Servers behind a proxy answer with links that name an internal host, or none at all. The served sandbox does not: its
 * links can be followed by clients that know nothing of this.
 */
function disguise(url: URL, page: number): string {
  if (url.origin !== inProcess) return url.href
  if (page % 3 === 1) return `http://analytics-web.internal:8000${url.pathname}${url.search}`
  if (page % 3 === 2) return url.pathname.slice(1) + url.search
  return url.href
}

const pieceLength = 64 * 1024

function pieces(head: string, rows: readonly string[], tail: string): Answer {
  const body: string[] = []
  let piece = head
  for (const [index, row] of rows.entries()) {
    piece += index === 0 ? row : `,${row}`
    if (piece.length < pieceLength) continue
    body.push(piece)
    piece = ''
  }
  return { ...answer(''), body: [...body, piece + tail] }
}
