import { decode, isObject, type Json, type JsonObject, textOf } from '../json/exact.ts'
import { csvText } from '../output/csv.ts'
import { type Call, invalid, jsonReply, type Reply } from './call.ts'
import type { Contents } from './store.ts'

type Window = ReturnType<typeof windowOf>

const defaultLimit = 100
const largestLimit = 10_000

/** `take`: the number of rows on this page, which is below the limit on a short page. */
export function windowOf(call: Call) {
  const limit = Math.min(wholeNumber(call, 'limit', 1) ?? defaultLimit, largestLimit)
  const offset = wholeNumber(call, 'offset', 0) ?? 0
  return { limit, offset, take: call.isObserved ? shortened(call, limit, offset) : limit }
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

export function page(call: Call, window: Window, count: number, results: readonly unknown[]): Reply {
  return jsonReply({ count, ...links(call, window, count), results })
}

export function recordsPage<T extends 'projects' | 'plugins' | 'event_definitions'>(
  call: Call,
  table: T,
  show: (record: Contents[T]) => Json = record => record,
): Reply {
  const window = windowOf(call)
  const { count, records } = call.store.list(table, call.scopeId, { offset: window.offset, limit: window.take })
  return page(call, window, count, records.map(show))
}

export function links(call: Call, { limit, offset, take }: Window, count: number) {
  const end = Math.min(offset + take, count)
  const to = (query: { readonly offset: number; readonly cursor?: number }) =>
    addressed(call, { limit, ...query }, Math.floor(query.offset / limit))
  // The link after an empty page must differ from its own address.
  const next = take < limit ? { offset: end, cursor: 1 } : { offset: end }
  return {
    next: end < count ? to(next) : null,
    previous: offset > 0 ? to({ offset: Math.max(0, offset - limit) }) : null,
  }
}

/** Servers behind a proxy name an internal host, or send the path without a leading slash. */
export function addressed(call: Call, query: Readonly<Record<string, number>>, number: number): string {
  const url = new URL(call.url)
  url.searchParams.delete('cursor')
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  if (!call.isObserved) return url.href
  const path = url.pathname + url.search
  return number % 2 === 1 ? `http://analytics-web.internal:8000${path}` : path.slice(1)
}

export function csvOf(reply: Reply): Reply {
  const value = decode(reply.body)
  const list = isObject(value) ? (value.results ?? value.result ?? value) : value
  const isRow = (one: Json): one is JsonObject<Json> => isObject(one)
  const rows = (Array.isArray(list) ? list : [list]).filter(isRow)
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const lines = [columns, ...rows.map(row => columns.map(column => textOf(row[column] ?? '')))]
  return { ...reply, headers: { 'content-type': 'text/csv; charset=utf-8' }, body: csvText(lines) }
}
