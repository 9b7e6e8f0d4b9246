import { timestamp } from '../call.ts'
import { uuidOf } from '../hash.ts'
import type { Members } from '../members.ts'
import { log } from '../records/activity.ts'
import { addPerson } from '../records/persons.ts'
import { addPlugin } from '../records/plugins.ts'
import { addProject, organization } from '../records/projects.ts'
import { company, type Defined } from './company.ts'
import { keepFact, type Store } from './store.ts'

const hour = 3600_000
/** A Monday; persons are created one after another from then on. */
const opening = Date.UTC(2026, 0, 5, 9)

export function seed(store: Store): void {
  keepFact(store, 'key', newKey())
  addProject(store, jsonOf(company.shopSettings, { ingested_event: 'true' }), opening)
  addProject(store, jsonOf(company.loanSettings, { ingested_event: 'true' }), opening + 24 * hour)
  seedPlugins(store)
  seedDefinitions(store, '1', company.definitions)
  seedDefinitions(store, '2', company.loanDefinitions)
  for (const [index, person] of shopPersons().entries()) seedPerson(store, '1', person, index)
  for (const [index, person] of parsePersons(company.borrowers).entries()) seedPerson(store, '2', person, index)
  seedActivity(store)
}

/** Random, since loaded data may be real. */
function newKey(): string {
  return `phx_sandbox_${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`
}

interface SeedPerson {
  readonly distinctIds: readonly string[]
  readonly properties: string
}

function shopPersons(): SeedPerson[] {
  const common = parsePersons(company.readers)
  const longWinded = {
    email: 'winifred@example.com',
    name: 'Winifred Long',
    review: 'I read it twice. '.repeat(500).trim(),
    url: `https://shop.example.com/?q=${'x'.repeat(2000)}`,
  }
  const devices = Array.from({ length: 160 }, (_, i) => `device-${String(i + 1).padStart(4, '0')}`)
  return [
    ...common.slice(0, 30),
    ...company.awkward.map(([distinctIds, properties]) => ({ distinctIds, properties })),
    { distinctIds: ['reader-winifred'], properties: JSON.stringify(longWinded) },
    { distinctIds: devices, properties: '{"email":"devices@example.com","name":"Dev Manifold"}' },
    ...common.slice(30),
    // Several distinct ids, for trying a split.
    { distinctIds: ['ada', 'ada-phone', '1815-12-10'], properties: company.ada },
  ]
}

function parsePersons(text: string): SeedPerson[] {
  return text
    .trim()
    .split(/[|\n]/)
    .map((entry, index) => {
      const [name = '', country = '', plan = ''] = entry.split(',')
      const first = name.split(' ')[0]?.toLowerCase() ?? ''
      const properties = {
        email: `${first}@example.com`,
        name,
        plan,
        country,
        orders: (index * 7) % 11,
        newsletter: index % 3 === 0,
      }
      return { distinctIds: [`reader-${first}`], properties: JSON.stringify(properties) }
    })
}

function seedPerson(store: Store, project: string, { distinctIds, properties }: SeedPerson, index: number): void {
  const came = opening + index * 47 * hour
  const id = addPerson(store, project, { createdAt: timestamp(came), distinctIds, properties })
  for (let i = 0; i < 3 + (index % 3); i++) {
    store.run('INSERT INTO events (person, timestamp) VALUES (?, ?)', id, timestamp(came + i * hour))
  }
}

function seedPlugins(store: Store): void {
  const config_schema = [{ key: 'enabled', name: 'Enabled', type: 'choice', choices: ['yes', 'no'], default: 'yes' }]
  for (const line of company.installed.trim().split('\n')) {
    const [plugin_type, name, description, url = null, tag = null, latest_tag = null] = line.split('|')
    const is_global = plugin_type === 'repository'
    const fields = { plugin_type, name, description, url, tag, latest_tag, is_global, config_schema }
    addPlugin(store, organization.id, jsonOf(fields), plugin_type === 'source' ? JSON.stringify(company.sources) : '{}')
  }
}

function seedDefinitions(store: Store, project: string, definitions: readonly Defined[]): void {
  for (const [index, { name, tags = [], action, made }] of definitions.entries()) {
    const id = uuidOf(`event definition ${project} ${name}`)
    const seen = timestamp(opening + (2000 + index) * hour)
    const record = {
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
    store.run(
      'INSERT INTO event_definitions (uuid, project, record) VALUES (?, ?, ?)',
      id,
      project,
      JSON.stringify(record),
    )
  }
}

function seedActivity(store: Store): void {
  const ada = store.get<{ uuid: string }>('SELECT uuid FROM persons WHERE id = 55')
  for (const { hours, was, change } of company.adaHistory) {
    const at = opening + hours * hour
    store.run('INSERT INTO earlier (person, until, properties) VALUES (55, ?, ?)', timestamp(at), was)
    const changes = [{ field: 'properties', ...change }]
    log(store, { scope: 'Person', place: '1', item: '55', activity: 'updated', name: ada?.uuid, changes, at })
  }
  const at = opening + 2600 * hour
  log(store, {
    scope: 'Plugin',
    place: organization.id,
    item: '3',
    activity: 'upgraded',
    name: 'GeoIP',
    changes: company.upgraded,
    at,
  })
}

function jsonOf(values: Readonly<Record<string, unknown>>, more: Readonly<Record<string, string>> = {}): Members {
  const entries = Object.entries(values).map(([name, value]): [string, string] => [name, JSON.stringify(value)])
  return new Map([...entries, ...Object.entries(more)])
}
