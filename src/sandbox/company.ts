/** Fills a new sandbox with company.json: an invented bookshop and its lending library, with all emails at example.com. */
import { decodeObject, ExactNumber, type Json, type JsonObject } from '../json/exact.ts'
import { timestamp } from './call.ts'
import company from './company.json'
import { uuidOf } from './hash.ts'
import { addPerson } from './person-records.ts'
import { addPlugin } from './plugins.ts'
import { addProject, organization } from './projects.ts'
import type { Store } from './store.ts'
import { logged } from './views.ts'

const hour = 3600_000
/** A Monday; persons are created one after another from then on. */
const opening = Date.UTC(2026, 0, 5, 9)

export function seed(store: Store, key: string): void {
  store.put('access', '', { id: 1, value: { key } })
  addProject(store, { ...company.settings.shop, ingested_event: true }, opening)
  addProject(store, { ...company.settings.lending, ingested_event: true }, opening + 24 * hour)
  seedPlugins(store)
  seedDefinitions(store, '1', company.events.shop)
  seedDefinitions(store, '2', company.events.lending)
  seedPersons(store, '1', shopPersons())
  seedPersons(store, '2', company.borrowers.map(commonPerson))
  // The pages of activity need entries.
  for (const item of [54, 55, 55]) {
    const done = { item, activity: 'updated', name: uuidOf(`person ${item}`), at: opening + 2600 * hour }
    logged(store, '1', { scope: 'Person', ...done })
  }
  logged(store, organization.id, { scope: 'Plugin', item: 3, activity: 'upgraded', name: 'GeoIP', at: opening })
}

type Seeded = readonly [distinctIds: readonly string[], properties: JsonObject<Json>]

function shopPersons(): Seeded[] {
  const common = company.readers.map(commonPerson)
  const longWinded = {
    email: 'winifred@example.com',
    name: 'Winifred Long',
    review: 'I read it twice. '.repeat(500).trim(),
    url: `https://shop.example.com/?q=${'x'.repeat(2000)}`,
  }
  const devices = Array.from({ length: 160 }, (_, i) => `device-${String(i + 1).padStart(4, '0')}`)
  return [
    ...common.slice(0, 30),
    ...company.unusual.map(personIn),
    [['reader-winifred'], longWinded],
    [devices, { email: 'devices@example.com', name: 'Dev Manifold' }],
    ...common.slice(30),
    personIn(company.ada),
  ]
}

function personIn(line: string): Seeded {
  const [ids = '', json = ''] = line.split(/ (.*)/s)
  return [ids.split(','), decodeObject(json)]
}

function commonPerson(line: string, index: number): Seeded {
  const [name = '', country = '', plan = ''] = line.split(',')
  const first = name.split(' ')[0]?.toLowerCase() ?? ''
  const [orders, newsletter] = [(index * 7) % 11, index % 3 === 0]
  const properties = { email: `${first}@example.com`, name, plan, country, orders, newsletter }
  return [[`reader-${first}`], { ...properties, ...asServersSend(index, orders) }]
}

/** Python servers write whole floats with a point, and nearly every person has a user agent. */
function asServersSend(index: number, orders: number) {
  const browser = 118 + (index % 7)
  return {
    spent: new ExactNumber(`${orders * 12}.0`),
    card_number: new ExactNumber(`9007199254741${String(100 + index)}`),
    favourite_genre: ['Märchen', 'poésie', 'ciencia ficción', '推理小説'][index % 4] ?? null,
    user_agent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser}.0.0.0 Safari/537.36`,
  }
}

function seedPersons(store: Store, project: string, persons: readonly Seeded[]): void {
  for (const [index, [distinct_ids, properties]] of persons.entries()) {
    addPerson(store, project, { distinct_ids, properties, created_at: timestamp(opening + index * 47 * hour) })
  }
}

function seedPlugins(store: Store): void {
  const config_schema = [{ key: 'enabled', name: 'Enabled', type: 'choice', choices: ['yes', 'no'], default: 'yes' }]
  for (const line of company.plugins) {
    const [plugin_type = '', name = '', description = '', url = null, tag = null, latest_tag = null] = line.split('|')
    const is_global = plugin_type === 'repository'
    addPlugin(store, { plugin_type, name, description, url, tag, latest_tag, is_global, config_schema })
  }
}

function seedDefinitions(store: Store, project: string, lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    const [name = '', tags, action] = line.split('|')
    const id = uuidOf(`event definition ${project} ${name}`)
    const seen = timestamp(opening + (2000 + index) * hour)
    const value = {
      id,
      name,
      created_at: timestamp(opening + index * hour),
      last_seen_at: seen,
      last_updated_at: seen,
      tags: tags ? tags.split(',') : [],
      is_action: String(action !== undefined),
      action_id: action === undefined ? null : Number(action),
      is_calculating: false,
      last_calculated_at: action === undefined ? null : seen,
      created_by: name === 'order placed' ? company.maker : null,
      post_to_slack: false,
    }
    store.put('event_definitions', project, { id: store.nextId('event_definitions'), value, names: [id] })
  }
}
