import { decodeObject, type Json, type JsonObject } from '../json/exact.ts'
import { logged } from './activity.ts'
import { timestamp } from './call.ts'
import { company, type Defined } from './company.ts'
import { uuidOf } from './hash.ts'
import { addPerson } from './person-records.ts'
import { addPlugin } from './plugins.ts'
import { addProject, organization } from './projects.ts'
import type { Store } from './store.ts'

const hour = 3600_000
/** A Monday; persons are created one after another from then on. */
const opening = Date.UTC(2026, 0, 5, 9)

/** Random, since loaded data may be real. */
export function newKey(): string {
  return `phx_sandbox_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`
}

export function seed(store: Store, key: string): void {
  store.put('access', '', { id: 1, value: { key } })
  addProject(store, { ...company.shopSettings, ingested_event: true }, opening)
  addProject(store, { ...company.loanSettings, ingested_event: true }, opening + 24 * hour)
  seedPlugins(store)
  seedDefinitions(store, '1', company.definitions)
  seedDefinitions(store, '2', company.loanDefinitions)
  seedPersons(store, '1', shopPersons())
  seedPersons(store, '2', personsIn(company.borrowers))
  seedActivity(store)
}

interface SeedPerson {
  readonly distinct_ids: readonly string[]
  readonly properties: JsonObject<Json>
}

function shopPersons(): SeedPerson[] {
  const common = personsIn(company.readers)
  const longWinded = {
    email: 'winifred@example.com',
    name: 'Winifred Long',
    review: 'I read it twice. '.repeat(500).trim(),
    url: `https://shop.example.com/?q=${'x'.repeat(2000)}`,
  }
  const devices = Array.from({ length: 160 }, (_, i) => `device-${String(i + 1).padStart(4, '0')}`)
  return [
    ...common.slice(0, 30),
    ...company.awkward.map(([distinct_ids, properties]) => ({ distinct_ids, properties: decodeObject(properties) })),
    { distinct_ids: ['reader-winifred'], properties: longWinded },
    { distinct_ids: devices, properties: { email: 'devices@example.com', name: 'Dev Manifold' } },
    ...common.slice(30),
    // Several distinct ids, for trying a split.
    { distinct_ids: ['ada', 'ada-phone', '1815-12-10'], properties: company.ada },
  ]
}

function personsIn(text: string): SeedPerson[] {
  return text
    .trim()
    .split(/[|\n]/)
    .map((entry, index) => {
      const [name = '', country = '', plan = ''] = entry.split(',')
      const first = name.split(' ')[0]?.toLowerCase() ?? ''
      const [orders, newsletter] = [(index * 7) % 11, index % 3 === 0]
      const properties = { email: `${first}@example.com`, name, plan, country, orders, newsletter }
      return { distinct_ids: [`reader-${first}`], properties }
    })
}

function seedPersons(store: Store, project: string, persons: readonly SeedPerson[]): void {
  for (const [index, person] of persons.entries()) {
    addPerson(store, project, { ...person, created_at: timestamp(opening + index * 47 * hour) })
  }
}

function seedPlugins(store: Store): void {
  const config_schema = [{ key: 'enabled', name: 'Enabled', type: 'choice', choices: ['yes', 'no'], default: 'yes' }]
  for (const line of company.installed.trim().split('\n')) {
    const [plugin_type = '', name = '', description = '', url = null, tag = null, latest_tag = null] = line.split('|')
    const is_global = plugin_type === 'repository'
    addPlugin(store, { plugin_type, name, description, url, tag, latest_tag, is_global, config_schema })
  }
}

function seedDefinitions(store: Store, project: string, definitions: readonly Defined[]): void {
  for (const [index, { name, tags = [], action, made }] of definitions.entries()) {
    const id = uuidOf(`event definition ${project} ${name}`)
    const seen = timestamp(opening + (2000 + index) * hour)
    const value = {
      id,
      name,
      created_at: timestamp(opening + index * hour),
      last_seen_at: seen,
      last_updated_at: seen,
      tags,
      is_action: action === undefined ? 'false' : 'true',
      action_id: action ?? null,
      is_calculating: false,
      last_calculated_at: action === undefined ? null : seen,
      created_by: made ? company.maker : null,
      post_to_slack: false,
    }
    store.put('event_definitions', project, { id: store.nextId('event_definitions'), value, names: [id] })
  }
}

/** Some of what was done before, so that pages of it have something to show. */
function seedActivity(store: Store): void {
  const at = opening + 2600 * hour
  for (const [item, days] of [
    [54, 3],
    [55, 2],
    [55, 1],
  ] as const) {
    const name = uuidOf(`person ${item}`)
    logged(store, '1', { scope: 'Person', item, activity: 'updated', name, changes: null, at: at - days * 24 * hour })
  }
  logged(store, organization.id, { scope: 'Plugin', item: 3, activity: 'upgraded', name: 'GeoIP', changes: null, at })
}
