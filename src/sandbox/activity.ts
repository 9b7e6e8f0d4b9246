/** A log of what was done to persons and plugins, which only the observed dialect shows. */
import type { Json } from '../json/exact.ts'
import { answer, type Call, type Reply, timestamp } from './call.ts'
import { numberedLinks, windowOf } from './pages.ts'
import type { Store } from './store.ts'

interface Done {
  readonly scope: 'Person' | 'Plugin'
  readonly item: number
  readonly activity: string
  readonly name: Json
  readonly changes: Json
  readonly at: number
}

const user = { first_name: 'Nora', email: 'nora@example.com' }

export function logged(store: Store, place: string, { scope, item, activity, name, changes, at }: Done): void {
  const value = {
    user,
    activity,
    scope,
    item_id: String(item),
    detail: { name, type: null, changes },
    created_at: timestamp(at),
  }
  store.put('activity', place, { id: store.nextId('activity'), value, names: [`item:${item}`] })
}

/** Persons and plugins have places of their own, so that the place says whose log it is. */
export function activityPage(call: Call): Reply {
  const { limit } = windowOf(call)
  const [text = '1'] = /^[1-9]\d{0,8}$/.exec(call.query.get('page') ?? '') ?? []
  const number = Number(text)
  const conditions = call.id === '' ? [] : [{ name: `item:${call.id}` }]
  const offset = (number - 1) * limit
  const { count, records } = call.store.list('activity', call.place, { conditions, offset, limit })
  return answer({ results: records, ...numberedLinks(call, limit, number, count), total_count: count })
}
