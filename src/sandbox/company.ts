/** What is in a new sandbox: an invented bookshop, with all e-mail addresses at example.com. */
import { decodeObject, ExactNumber, type Json, type JsonObject } from '../json/exact.ts'
import { timestamp } from './call.ts'
import { uuidOf } from './hash.ts'
import { addPerson } from './person-records.ts'
import { addPlugin } from './plugins.ts'
import { addProject, organization } from './projects.ts'
import type { Store } from './store.ts'
import { logged } from './views.ts'

const readers = `
Margaret Ashdown,GB,library|Tomas Novak,CZ,free|Ingrid Solberg,NO,pro|Kwame Mensah,GH,free|Lucia Romero,ES,pro
Henrik Lund,DK,free|Priya Raman,IN,library|Oliver Finch,GB,free|Yuki Tanabe,JP,pro|Fatou Diop,SN,free
Samuel Okoro,NG,pro|Clara Weiss,DE,free|Mateo Silva,PT,free|Hana Kim,KR,library|Jonas Brandt,DE,pro
Elena Petrova,BG,free|Noor Haddad,JO,free|Patrick Doyle,IE,pro|Amelie Laurent,FR,free|Viktor Horvat,HR,free
Zanele Dube,ZA,library|Rosa Marchetti,IT,pro|Ewan Sinclair,GB,free|Sofia Lindqvist,SE,free|Bruno Costa,BR,pro
Mina Farrokh,IR,free|George Papas,GR,free|Leila Benali,MA,pro|Anton Virtanen,FI,free|Ruth Goldberg,US,library
Diego Fuentes,MX,free|Maren Vogel,DE,free|Isaac Tembo,ZM,pro|Chloe Martin,CA,free|Otto Keller,CH,free
Aisha Karimi,AE,pro|Felix Wagner,AT,free|Nina Kovac,SI,free|Peter Hollis,AU,library|Sara Eklund,SE,free
Walter Briggs,US,free|Irene Tan,SG,pro
`

const borrowers = `
Beatrix Moss,GB,library|Cormac Healy,IE,library|Dorothea Quist,DK,free|Emil Sandor,HU,free|Frida Holm,SE,library
`

/** Several distinct ids, for trying a split. */
const ada =
  'ada,ada-phone,1815-12-10 {"email":"ada@example.com","name":"Ada Lovelace","plan":"pro","country":"GB","orders":12,"newsletter":true,"first_order":"2026-01-12"}'

/** Distinct ids, and properties that programs often handle wrongly; no lone surrogates, which some JSON readers refuse. */
const awkward = `
reader-grace {"email":"grace@example.com","name":"Grace Hopper","loyalty_number":9007199254740993,"discount":1.0,"balance":-0.0,"smallest":1e-7,"largest":1.7976931348623157e308,"beyond":1e400}
reader-mallory {"email":"mallory@example.com","name":"Mallory \\u001b[31mRed\\u001b[0m\\u0007","note":"two\\nlines\\tand \\u001b]0;a title\\u0007"}
reader-eve {"email":"eve@example.com","name":"=HYPERLINK(\\"https://example.com/\\",\\"Click me\\")","note":"+1+1","memo":"@SUM(A1)","change":"-2+3","quote":"She said \\"yes, please\\""}
reader-taro {"email":"taro@example.com","name":"山田太郎","city":"東京","favourite":"吾輩は猫である"}
reader-family {"email":"family@example.com","name":"👩‍👩‍👧‍👦 Family Brook","mood":"👍🏽","flag":"🏴󠁧󠁢󠁳󠁣󠁴󠁿"}
reader-layla {"email":"layla@example.com","name":"ليلى حداد","disguised":"invoice\\u202egnp.exe","hidden":"zero\\u200bwidth"}
reader-nested,7 {"email":"nested@example.com","name":"Nestor Boxall","address":{"street":"1 Shelf Lane","town":{"name":"Inkham","codes":[1,2.50,{"deep":[[[true]]]}]}},"tags":["sale","new"],"a.b":"a dot in a key","10":"ten","2":"two","":"no name"}
reader-nil {"email":null,"name":"Nil Sparrow","phone":null,"empty":"","nothing":{},"none":[]}
0190f3c2-anonymous {}
reader-lone {"email":"lone@example.com","name":"Lone \\ud83d\\ude4b Hand","nul":"before\\u0000after"}
`

/** Name, tags, and the number of an action. */
const definitions = `
$pageview
$autocapture
signed up|growth
book viewed
basket filled|checkout
order placed|checkout,revenue
order paid|checkout,revenue|7
gift card bought|revenue
review written
newsletter joined|growth
wishlist shared
return requested|support
`

const loanDefinitions = '$pageview\nbook lent\nbook returned'

const maker = decodeObject(
  '{"id":1,"uuid":"0f6e2d1c-3b4a-4958-8677-a5b4c3d2e1f0","distinct_id":"staff-nora","first_name":"Nora","last_name":"Quill","email":"nora@example.com","is_email_verified":true}',
)

const shopSettings = {
  name: 'Juniper & Quill Books',
  app_urls: ['https://shop.example.com', 'https://www.example.com'],
  slack_incoming_webhook: 'https://hooks.example.com/services/T0000/B0000/made-up',
  completed_snippet_onboarding: true,
  timezone: 'Europe/London',
  week_start_day: 1,
  test_account_filters: [
    { key: 'email', value: '@juniper-quill.example.com', operator: 'not_icontains', type: 'person' },
  ],
  session_recording_opt_in: true,
  session_recording_sample_rate: '0.50',
  session_recording_minimum_duration_milliseconds: 2000,
  recording_domains: ['https://shop.example.com'],
  surveys_opt_in: true,
}

const loanSettings = { name: 'Juniper & Quill Lending', timezone: 'UTC', anonymize_ips: true }

/** Type, name, description, url, tag and newest tag. */
const installed = `
local|Receipt Printer|Prints a line for each order|file:/plugins/receipt
custom|Basket Watcher|Notices baskets that are left behind|https://git.example.com/quill/basket-watcher|1.2.0|1.3.0
repository|GeoIP|Adds the country of an event|https://git.example.com/plugins/geoip|0.9.1|0.9.1
repository|Taxonomy|Gives all events names of one form|https://git.example.com/plugins/taxonomy|0.4.0|0.5.2
source|Genre Tagger|Adds the genre of a book
`

const hour = 3600_000
/** A Monday; persons are created one after another from then on. */
const opening = Date.UTC(2026, 0, 5, 9)

export function seed(store: Store, key: string): void {
  store.put('access', '', { id: 1, value: { key } })
  addProject(store, { ...shopSettings, ingested_event: true }, opening)
  addProject(store, { ...loanSettings, ingested_event: true }, opening + 24 * hour)
  seedPlugins(store)
  seedDefinitions(store, '1', definitions)
  seedDefinitions(store, '2', loanDefinitions)
  seedPersons(store, '1', shopPersons())
  seedPersons(store, '2', personsIn(borrowers))
  // Something that the pages of activities have to show.
  for (const item of [54, 55, 55]) {
    const done = { item, activity: 'updated', name: uuidOf(`person ${item}`), at: opening + 2600 * hour }
    logged(store, '1', { scope: 'Person', ...done })
  }
  logged(store, organization.id, { scope: 'Plugin', item: 3, activity: 'upgraded', name: 'GeoIP', at: opening })
}

function linesOf(text: string): string[] {
  return text.trim().split('\n')
}

type Seeded = readonly [distinctIds: readonly string[], properties: JsonObject<Json>]

function shopPersons(): Seeded[] {
  const common = personsIn(readers)
  const longWinded = {
    email: 'winifred@example.com',
    name: 'Winifred Long',
    review: 'I read it twice. '.repeat(500).trim(),
    url: `https://shop.example.com/?q=${'x'.repeat(2000)}`,
  }
  const devices = Array.from({ length: 160 }, (_, i) => `device-${String(i + 1).padStart(4, '0')}`)
  return [
    ...common.slice(0, 30),
    ...linesOf(awkward).map(personIn),
    [['reader-winifred'], longWinded],
    [devices, { email: 'devices@example.com', name: 'Dev Manifold' }],
    ...common.slice(30),
    personIn(ada),
  ]
}

function personIn(line: string): Seeded {
  const [ids = '', json = ''] = line.split(/ (.*)/s)
  return [ids.split(','), decodeObject(json)]
}

function personsIn(text: string): Seeded[] {
  return text
    .trim()
    .split(/[|\n]/)
    .map((entry, index) => {
      const [name = '', country = '', plan = ''] = entry.split(',')
      const first = name.split(' ')[0]?.toLowerCase() ?? ''
      const [orders, newsletter] = [(index * 7) % 11, index % 3 === 0]
      const properties = { email: `${first}@example.com`, name, plan, country, orders, newsletter }
      return [[`reader-${first}`], { ...properties, ...asServersSend(index, orders) }]
    })
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
  for (const line of linesOf(installed)) {
    const [plugin_type = '', name = '', description = '', url = null, tag = null, latest_tag = null] = line.split('|')
    const is_global = plugin_type === 'repository'
    addPlugin(store, { plugin_type, name, description, url, tag, latest_tag, is_global, config_schema })
  }
}

function seedDefinitions(store: Store, project: string, text: string): void {
  for (const [index, line] of linesOf(text).entries()) {
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
      created_by: name === 'order placed' ? maker : null,
      post_to_slack: false,
    }
    store.put('event_definitions', project, { id: store.nextId('event_definitions'), value, names: [id] })
  }
}
