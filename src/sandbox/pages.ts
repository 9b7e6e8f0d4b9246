import { answer, type Call, invalid, type Reply } from './call.ts'

interface Window {
  readonly limit: number
  readonly offset: number
  /** Rows of this page, which are fewer than the limit on a short one. */
  readonly take: number
}

const usual = 100
const most = 10_000

export function windowOf(call: Call): Window {
  const limit = Math.min(wholeNumber(call, 'limit', 1) ?? usual, most)
  const offset = wholeNumber(call, 'offset', 0) ?? 0
  return { limit, offset, take: call.isObserved ? shortened(call, limit, offset) : limit }
}

/** Of three pages one is short and one is empty; those of a usual length are whole, so that counts of requests stay right. */
function shortened(call: Call, limit: number, offset: number): number {
  if (limit >= usual || call.query.has('cursor')) return limit
  return [limit, Math.floor(limit / 2), 0][Math.floor(offset / limit) % 3] ?? limit
}

function wholeNumber(call: Call, name: string, least: number): number | undefined {
  const text = call.query.get(name)
  if (text === undefined || text === '') return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number
  throw invalid(name, `A valid integer of at least ${least} is required.`)
}

export function page(call: Call, window: Window, count: number, results: readonly unknown[]): Reply {
  return answer({ count, ...links(call, window, count), results })
}

export function links(call: Call, { limit, offset, take }: Window, count: number) {
  const end = Math.min(offset + take, count)
  return {
    next: end < count ? link(call, { limit, offset: end }, take < limit) : null,
    previous: offset > 0 ? link(call, { limit, offset: Math.max(0, offset - limit) }, false) : null,
  }
}

/** Of activities, whose pages have numbers. */
export function numberedLinks(call: Call, limit: number, number: number, count: number) {
  const to = (page: number) => addressed(call, { limit, page }, page)
  return { next: number * limit < count ? to(number + 1) : null, previous: number > 1 ? to(number - 1) : null }
}

function link(call: Call, place: { readonly limit: number; readonly offset: number }, isEarly: boolean): string {
  // After an empty page, the next address must differ from its own.
  return addressed(call, isEarly ? { ...place, cursor: 1 } : place, Math.floor(place.offset / place.limit))
}

/** Servers behind a proxy name an internal host, or give the path alone, without the slash before it. */
function addressed(call: Call, place: Readonly<Record<string, number>>, page: number): string {
  const url = new URL(call.url)
  url.searchParams.delete('cursor')
  for (const [name, value] of Object.entries(place)) url.searchParams.set(name, String(value))
  if (!call.isObserved) return url.href
  const path = url.pathname + url.search
  return page % 2 === 1 ? `http://analytics-web.internal:8000${path}` : path.slice(1)
}
