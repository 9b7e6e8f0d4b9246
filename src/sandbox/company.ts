/** Data of a new sandbox, an invented bookshop: persons from oldest to newest, all e-mail addresses at example.com. */

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

/** Values that programs often handle wrongly. Lone surrogates are left out, because some JSON readers refuse them. */
const awkward: readonly (readonly [distinctIds: readonly string[], properties: string])[] = [
  [
    ['reader-grace'],
    '{"email":"grace@example.com","name":"Grace Hopper","loyalty_number":9007199254740993,"discount":1.0,"balance":-0.0,"smallest":1e-7,"largest":1.7976931348623157e308,"beyond":1e400}',
  ],
  [
    ['reader-mallory'],
    '{"email":"mallory@example.com","name":"Mallory \\u001b[31mRed\\u001b[0m\\u0007","note":"two\\nlines\\tand \\u001b]0;a title\\u0007"}',
  ],
  [
    ['reader-eve'],
    '{"email":"eve@example.com","name":"=HYPERLINK(\\"https://example.com/\\",\\"Click me\\")","note":"+1+1","memo":"@SUM(A1)","change":"-2+3","quote":"She said \\"yes, please\\""}',
  ],
  [['reader-taro'], '{"email":"taro@example.com","name":"山田太郎","city":"東京","favourite":"吾輩は猫である"}'],
  [['reader-family'], '{"email":"family@example.com","name":"👩‍👩‍👧‍👦 Family Brook","mood":"👍🏽","flag":"🏴󠁧󠁢󠁳󠁣󠁴󠁿"}'],
  [
    ['reader-layla'],
    '{"email":"layla@example.com","name":"ليلى حداد","disguised":"invoice\\u202egnp.exe","hidden":"zero\\u200bwidth"}',
  ],
  [
    ['reader-nested', '7'],
    '{"email":"nested@example.com","name":"Nestor Boxall","address":{"street":"1 Shelf Lane","town":{"name":"Inkham","codes":[1,2.50,{"deep":[[[true]]]}]}},"tags":["sale","new"],"a.b":"a dot in a key","10":"ten","2":"two","":"no name"}',
  ],
  [['reader-nil'], '{"email":null,"name":"Nil Sparrow","phone":null,"empty":"","nothing":{},"none":[]}'],
  [['0190f3c2-anonymous'], '{}'],
  [['reader-lone'], '{"email":"lone@example.com","name":"Lone \\ud83d\\ude4b Hand","nul":"before\\u0000after"}'],
]

const ada = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  plan: 'pro',
  country: 'GB',
  orders: 12,
  newsletter: true,
  first_order: '2026-01-12',
}

export interface Defined {
  readonly name: string
  readonly tags?: readonly string[]
  readonly action?: number
  readonly made?: boolean
}

const definitions: readonly Defined[] = [
  { name: '$pageview' },
  { name: '$autocapture' },
  { name: 'signed up', tags: ['growth'] },
  { name: 'book viewed' },
  { name: 'basket filled', tags: ['checkout'] },
  { name: 'order placed', tags: ['checkout', 'revenue'], made: true },
  { name: 'order paid', tags: ['checkout', 'revenue'], action: 7 },
  { name: 'gift card bought', tags: ['revenue'] },
  { name: 'review written' },
  { name: 'newsletter joined', tags: ['growth'] },
  { name: 'wishlist shared' },
  { name: 'return requested', tags: ['support'] },
]

const loanDefinitions: readonly Defined[] = [{ name: '$pageview' }, { name: 'book lent' }, { name: 'book returned' }]

const maker = {
  id: 1,
  uuid: '0f6e2d1c-3b4a-4958-8677-a5b4c3d2e1f0',
  distinct_id: 'staff-nora',
  first_name: 'Nora',
  last_name: 'Quill',
  email: 'nora@example.com',
  is_email_verified: true,
}

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

export const company = {
  readers,
  borrowers,
  awkward,
  ada,
  definitions,
  loanDefinitions,
  maker,
  shopSettings,
  loanSettings,
  installed,
}
