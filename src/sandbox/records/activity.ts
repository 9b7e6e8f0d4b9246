import { type Call, timestamp } from '../call.ts'
import { readMembers, writeMembers } from '../members.ts'
import { numberedLinks, windowOf } from '../paging.ts'
import type { Store } from '../store/store.ts'

interface LogEntry {
  readonly scope: 'Person' | 'Plugin'
  readonly place: string
  readonly item: string
  readonly activity: string
  readonly name: string | undefined
  readonly changes: readonly LoggedChange[]
  readonly at: number
}

/** `before` and `after` are JSON texts. */
export interface LoggedChange {
  readonly action: 'changed' | 'deleted' | 'split'
  readonly field: string
  readonly before: string
  readonly after: string
}

const owner = { first_name: 'Nora', email: 'nora@example.com' }

export function log(store: Store, { scope, place, item, activity, name, changes, at }: LogEntry): void {
  const made = changes.map(({ action, field, before, after }) => {
    return `{"type":"${scope}","action":"${action}","field":"${field}","before":${before},"after":${after}}`
  })
  const shown = made.length > 0 ? `[${made.join()}]` : 'null'
  const detail = `{"id":null,"changes":${shown},"merge":null,"trigger":null,"name":${JSON.stringify(name ?? null)},"short_id":null,"type":null}`
  const before = JSON.stringify({ user: owner, activity, scope, item_id: item }).slice(0, -1)
  store.run(
    'INSERT INTO activity (scope, place, item, record) VALUES (?, ?, ?, ?)',
    scope,
    place,
    item,
    `${before},"detail":${detail},"created_at":"${timestamp(at)}"}`,
  )
}

/** Loaded persons may be real, so the log must not keep their data after the deletion. */
export function forgetChanges(store: Store, place: string, item: string): void {
  const rows = store.all<{ id: number; record: string }>(
    "SELECT id, record FROM activity WHERE scope = 'Person' AND place = ? AND item = ?",
    place,
    item,
  )
  for (const { id, record } of rows) {
    store.run('UPDATE activity SET record = ? WHERE id = ?', withoutChanges(record), id)
  }
}

function withoutChanges(record: string): string {
  const members = readMembers(record)
  const detail = readMembers(members.get('detail') ?? '{}')
  return writeMembers(members.set('detail', writeMembers(detail.set('changes', 'null'))))
}

export function activityPage(call: Call, scope: LogEntry['scope'], item?: string) {
  const { limit } = windowOf(call)
  const [page] = /^[1-9]\d{0,8}$/.exec(call.query.get('page') ?? '') ?? ['1']
  const where = `FROM activity WHERE scope = ? AND place = ? ${item === undefined ? '' : 'AND item = ?'}`
  const cells = [scope, call.scope, ...(item === undefined ? [] : [item])]
  const count = call.store.count(where, ...cells)
  const rows = call.store.all<{ record: string }>(
    `SELECT record ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
    ...cells,
    limit,
    (Number(page) - 1) * limit,
  )
  const { next, previous } = numberedLinks(call, Number(page), limit, count)
  const results = rows.map(({ record }) => record).join()
  return `{"results":[${results}],"next":${next},"previous":${previous},"total_count":${count}}`
}
