/** Fills a new sandbox with company.json: an invented bookshop and its lending library. */
import { decode, isObject } from '../json/exact.ts'
import { timestamp } from './call.ts'
import company from './company.json'
import { uuidOf } from './hash.ts'
import { addPerson } from './person-records.ts'
import { addPlugin } from './plugins.ts'
import { addProject, organization } from './projects.ts'
import type { Store } from './store.ts'
import { logActivity } from './views.ts'

const hour = 3600_000
const opening = Date.UTC(2026, 0, 5, 9)

export function seed(store: Store, key: string): void {
  store.put('access', '', 1, { key })
  for (const [index, { settings, persons, event_definitions: definitions }] of company.projects.entries()) {
    const { id } = addProject(store, { ...settings, ingested_event: true }, opening + index * 24 * hour)
    for (const record of definitions) {
      store.put('event_definitions', String(id), store.nextId('event_definitions'), record)
    }
    for (const [order, line] of persons.entries()) {
      // Distinct ids, then properties, as text: an import of JSON would round numbers.
      const [ids = '', properties = ''] = line.split(/ (.*)/s)
      const created_at = timestamp(opening + order * 47 * hour)
      const decoded = decode(properties)
      const person = { distinct_ids: ids.split(','), properties: isObject(decoded) ? decoded : {}, created_at }
      addPerson(store, String(id), person)
    }
  }
  for (const fields of company.plugins) addPlugin(store, fields)
  const shop = { store, scopeId: '1', now: opening + 2600 * hour }
  for (const id of [54, 55, 55]) {
    logActivity(shop, { scope: 'Person', id, activity: 'updated', name: uuidOf(`person ${id}`) })
  }
  const inOrganization = { store, scopeId: organization.id, now: opening }
  logActivity(inOrganization, { scope: 'Plugin', id: 3, activity: 'upgraded', name: 'GeoIP' })
}
