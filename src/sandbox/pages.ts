import { type Call, invalid, jsonReply, type Reply } from './call.ts'
import type { Contents, RecordSelection } from './store.ts'

const defaultLimit = 100
const largestLimit = 10_000

/** The body of a reply with one page of records. */
export function pageOf<T extends keyof Contents>(call: Call, table: T, matching: RecordSelection<T> = {}) {
  const { store, scopeId, isObserved } = call
  const limit = limitOf(call)
  const offset = wholeNumber(call, 'offset', 0) ?? 0
  const take = isObserved ? shortened(call, limit, offset) : limit
  const { count, records } = store.list(table, scopeId, { ...matching, offset, limit: take })
  const end = Math.min(offset + take, count)
  const to = (query: { readonly offset: number; readonly cursor?: number }) =>
    addressed(call, { limit, ...query }, Math.floor(query.offset / limit))
  // The link after an empty page must differ from its own address.
  const next = take < limit ? { offset: end, cursor: 1 } : { offset: end }
  return {
    count,
    next: end < count ? to(next) : null,
    previous: offset > 0 ? to({ offset: Math.max(0, offset - limit) }) : null,
    results: records,
  }
}

export function activityPage(call: Call): Reply {
  const limit = limitOf(call)
  const number = Number(/^[1-9]\d{0,8}$/.exec(call.query.get('page') ?? '') ?? 1)
  const names = call.id === '' ? [] : [call.id]
  const offset = (number - 1) * limit
  const { count, records } = call.store.list('activity', call.scopeId, { names, offset, limit })
  const to = (page: number) => addressed(call, { limit, page }, page)
  const next = number * limit < count ? to(number + 1) : null
  return jsonReply({ results: records, next, previous: number > 1 ? to(number - 1) : null, total_count: count })
}

function limitOf(call: Call): number {
  return Math.min(wholeNumber(call, 'limit', 1) ?? defaultLimit, largestLimit)
}

/** Of three pages one is short and one is empty. Large pages are whole, so that the number of requests is realistic. */
function shortened(call: Call, limit: number, offset: number): number {
  if (limit >= defaultLimit || call.query.has('cursor')) return limit
  return [limit, Math.floor(limit / 2), 0][Math.floor(offset / limit) % 3] ?? limit
}

function wholeNumber(call: Call, name: string, least: number): number | undefined {
  const text = call.query.get(name)
  if (text === undefined || text === '') return undefined
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number) && number >= least) return number
  throw invalid(name, `A valid integer of at least ${least} is required.`)
}

/** Servers behind a proxy name an internal host, or send the path without a leading slash. */
function addressed(call: Call, query: Readonly<Record<string, number>>, number: number): string {
  const url = new URL(call.url)
  url.searchParams.delete('cursor')
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  if (!call.isObserved) return url.href
  const path = url.pathname + url.search
  return number % 2 === 1 ? `http://analytics-web.internal:8000${path}` : path.slice(1)
}
