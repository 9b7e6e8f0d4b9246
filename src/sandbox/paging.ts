import { sandboxBase } from '../values/url.ts'
import { AnswerError, answer, type Call, invalid, type Reply, serverError } from './call.ts'

interface Window {
  readonly limit: number
  readonly offset: number
  readonly take: number
}

const defaultLimit = 100

export function windowOf(call: Call, most = Number.MAX_SAFE_INTEGER): Window {
  const limit = Math.min(integer(call, 'limit', 1) ?? defaultLimit, most)
  const offset = integer(call, 'offset', 0) ?? 0
  return { limit, offset, take: takeOf(call, limit, offset) }
}

/** Of three pages of servers, one is short and one is empty; long ones are whole, so that counts of requests stay right. */
function takeOf(call: Call, limit: number, offset: number): number {
  if (call.dialect === 'documented' || limit >= defaultLimit || call.query.has('cursor')) return limit
  const page = Math.floor(offset / limit) % 3
  if (page === 0) return limit
  return page === 1 ? Math.floor(limit / 2) : 0
}

/** Servers refuse a limit of 0; what is no number breaks their lists of persons, and is ignored elsewhere. */
function integer(call: Call, name: string, least: number): number | undefined {
  const text = call.query.get(name)
  if (text === undefined || text === '') return undefined
  const number = Number(text)
  const isNumber = /^\d+$/.test(text) && Number.isSafeInteger(number)
  if (isNumber && number >= least) return number
  if (call.dialect === 'documented') throw invalid(name, `A valid integer of at least ${least} is required.`)
  if (isNumber) throw invalid(name, `Ensure this value is greater than or equal to ${least}.`, 'min_value')
  if (call.isOfPersons) throw new AnswerError(serverError)
  return undefined
}

export function countedPage(call: Call, window: Window, count: number, rows: readonly string[]): Reply {
  const { next, previous } = links(call, window, count, rows.length)
  return answer(`{"count":${count},"next":${next},"previous":${previous},"results":[${rows.join()}]}`)
}

/** A page of the newest records; `from` is the part of a SELECT that begins with FROM. */
export function recordsPage(
  call: Call,
  from: string,
  cells: readonly string[],
  show: (record: string) => string,
): Reply {
  const window = windowOf(call)
  const rows = call.store.all<{ record: string }>(
    `SELECT record ${from} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...cells,
    window.take,
    window.offset,
  )
  return countedPage(
    call,
    window,
    call.store.count(from, ...cells),
    rows.map(({ record }) => show(record)),
  )
}

/** Servers count persons only where `include_total` is there. */
export function uncountedPage(call: Call, window: Window, count: number, rows: readonly string[]): Reply {
  const { next, previous } = links(call, window, count, rows.length)
  const total = call.query.has('include_total') ? `,"count":${count}` : ''
  return answer(`{"next":${next},"previous":${previous},"results":[${rows.join()}]${total}}`)
}

export function links(call: Call, { limit, offset }: Window, count: number, length: number) {
  const end = offset + length
  return {
    next: end < count ? JSON.stringify(link(call, limit, end, end < offset + limit)) : 'null',
    previous: offset > 0 ? JSON.stringify(link(call, limit, Math.max(0, offset - limit), false)) : 'null',
    initial: JSON.stringify(link(call, limit, 0, false)),
  }
}

export function numberedLinks(call: Call, page: number, limit: number, count: number) {
  const to = (number: number) => {
    const url = new URL(call.url)
    url.searchParams.set('limit', String(limit))
    url.searchParams.set('page', String(number))
    return JSON.stringify(disguise(url, number))
  }
  return { next: page * limit < count ? to(page + 1) : 'null', previous: page > 1 ? to(page - 1) : 'null' }
}

function link(call: Call, limit: number, offset: number, early: boolean): string {
  const url = new URL(call.url)
  url.searchParams.set('limit', String(limit))
  url.searchParams.set('offset', String(offset))
  // A short page may be empty, but its next link must differ from its own URL.
  if (early) url.searchParams.set('cursor', String(1 + Number(url.searchParams.get('cursor') ?? 0)))
  if (call.dialect === 'documented') return url.href
  return disguise(url, Math.floor(offset / limit))
}

const inProcess = new URL(sandboxBase).origin

/** Servers behind a proxy link to an internal host; over HTTP the sandbox does not, since clients do not expect it. */
function disguise(url: URL, page: number): string {
  if (url.origin !== inProcess) return url.href
  if (page % 3 === 1) return `http://analytics-web.internal:8000${url.pathname}${url.search}`
  if (page % 3 === 2) return url.pathname.slice(1) + url.search
  return url.href
}
