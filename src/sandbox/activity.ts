/** What was done to what: the log behind the `activity` endpoints. */
import { type Call, timestamp } from './call.ts'
import { links, windowOf } from './paging.ts'
import type { Store } from './store.ts'

export interface Deed {
  readonly scope: 'Person' | 'Plugin'
  /** The project or organization that it happened in. */
  readonly place: string
  readonly item: string
  /** Such as `updated` or `deleted`. */
  readonly activity: string
  readonly detail?: Readonly<Record<string, unknown>>
  readonly at: number
}

const owner = { first_name: 'Nora', email: 'nora@example.com' }

export function log(store: Store, { scope, place, item, activity, detail = {}, at }: Deed): void {
  const record = { user: owner, activity, scope, item_id: item, detail, created_at: timestamp(at) }
  store.run(
    'INSERT INTO activity (scope, place, item, record) VALUES (?, ?, ?, ?)',
    scope,
    place,
    item,
    JSON.stringify(record),
  )
}

/** A page of the log as servers answer it, newest first; `item` narrows it down to one object. */
export function activityPage(call: Call, scope: Deed['scope'], item?: string) {
  const window = windowOf(withPages(call))
  const where = `FROM activity WHERE scope = ? AND place = ? ${item === undefined ? '' : 'AND item = ?'}`
  const cells = [scope, call.scope, ...(item === undefined ? [] : [item])]
  const count = call.store.get<{ n: number }>(`SELECT count(*) AS n ${where}`, ...cells)?.n ?? 0
  const rows = call.store.all<{ record: string }>(
    `SELECT record ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...cells,
    window.take,
    window.offset,
  )
  const { next, previous } = links(call, window, count, rows.length)
  const results = rows.map(row => row.record).join()
  return `{"results":[${results}],"next":${next},"previous":${previous},"total_count":${count}}`
}

/** Here pages are asked for by their number as well. */
function withPages(call: Call): Call {
  const page = call.url.searchParams.get('page')
  if (page === null || !/^[1-9]\d{0,8}$/.test(page) || call.url.searchParams.has('offset')) return call
  const url = new URL(call.url)
  const { limit } = windowOf(call)
  url.searchParams.set('offset', String((Number(page) - 1) * limit))
  return { ...call, url }
}
