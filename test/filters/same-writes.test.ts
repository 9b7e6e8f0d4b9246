/**
 * Random populations and random filters, whole commands over real HTTP: the writes that come in are exactly those of the
 * objects that a slow reference selects, for any server that reads the filters in its own way.
 */
import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { type Asked, isList, json, personRow } from '../server.ts'
import { accepting, startService, writesOf } from '../service.ts'
import {
  type PersonWords,
  type ReferenceRecord,
  selects,
  selectsAt,
  selectsPerson,
  type Typed,
  typedText,
} from './reference.ts'

const texts = ['pro', 'Pro', 'trial', '9', '9.0', '30', '-1.5', '2026-01-31', '2026-02-01T00:00:00Z', 'true', 'é', '']
const value = fc.oneof(
  fc.constantFrom<unknown>(...texts, 0, 9, 30, -1.5, true, null),
  fc.array(fc.constantFrom<unknown>('pro', '9', 30, null), { maxLength: 2 }),
)
const keys = ['plan', 'age', 'a.b', 'seen', 'tags']
const emails = [
  'ada@example.com',
  'ADA@example.com',
  'zo\u00eb@example.com',
  'zoe\u0308@example.com',
  'bob@example.com',
]

function condition(fields: readonly string[]): fc.Arbitrary<Typed> {
  const key = fc.constantFrom(...fields)
  const shown = texts.filter(text => text !== '')
  return fc.oneof(
    fc.record({ key, sign: fc.constantFrom('=', '!=', '~', '!~'), value: fc.constantFrom(...shown) }),
    fc.record({
      key,
      sign: fc.constantFrom('>', '<', '>=', '<='),
      value: fc.constantFrom('9', '30', '-1.5', '2026-01-31', '2026-02-01T00:00:00Z', '-90d'),
    }),
    fc.record({ key, sign: fc.constantFrom('set', 'not set'), value: fc.constant('') }),
  )
}

/** A write as `DELETE 7`. */
const written = (asked: readonly Asked[]) =>
  writesOf(asked)
    .map(({ method, path }) => `${method} ${path.split('/')[5]}`)
    .toSorted()

interface Entry {
  readonly key: string
  readonly operator: string
  readonly value: string
}

/** How a server reads an entry of `properties`. */
const servers: Readonly<Record<string, (entry: Entry, properties: ReferenceRecord) => boolean>> = {
  'ignores it': () => true,
  'compares texts': ({ key, operator, value }, properties) => {
    const [own] = [properties[key]].flat()
    if (operator === 'is_set') return key in properties
    if (operator === 'exact') return [properties[key]].flat().includes(value)
    return typeof own === 'string' && own.toLowerCase().includes(value.toLowerCase())
  },
  'knows more': ({ key, operator, value }, properties) => {
    const sign = ({ exact: '=', icontains: '~', is_set: 'set' } as const)[operator]
    return sign === undefined || selects({ key, sign, value }, properties)
  },
}

const person = fc.record(
  { email: fc.constantFrom(...emails), properties: fc.dictionary(fc.constantFrom(...keys), value) },
  { requiredKeys: ['properties'] },
)
const words: fc.Arbitrary<PersonWords> = fc.record(
  {
    email: fc.constantFrom(...emails),
    search: fc.constantFrom('ada', 'BOB@', 'zo\u00eb', 'person-1', 'Trial'),
    distinctId: fc.constantFrom('person-1', 'person-2'),
  },
  { requiredKeys: [] },
)
const verbs = fc.constantFrom(
  { argv: ['delete'], method: 'DELETE' },
  { argv: ['update', '--set', 'touched=yes'], method: 'PATCH' },
  { argv: ['update-property', '--key', 'touched', '--value', 'yes'], method: 'POST' },
)

test.each(Object.keys(servers))('persons, where the server %s', async serverThat => {
  let rows: readonly ReferenceRecord[] = []
  const { server, world, env } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const entries: readonly Entry[] = JSON.parse(asked.query.get('properties') ?? '[]')
    const finds = ({ properties }: ReferenceRecord) =>
      entries.every(entry => servers[serverThat]?.(entry, properties as ReferenceRecord))
    json(response, { next: null, results: rows.filter(finds) })
  })
  const some = fc.array(person, { maxLength: 8 })
  const property = fc.array(condition(keys), { maxLength: 2 })
  const where = fc.array(condition([...keys.map(key => `properties.${key}`), 'name', 'created_at']), { maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(some, words, property, where, verbs, async (people, words, property, where, verb) => {
      rows = people.map(({ email, properties }, i) => ({
        ...personRow(i + 1),
        properties: { ...properties, ...(email && { email }) },
      }))
      const named = { '--email': words.email, '--search': words.search, '--distinct-id': words.distinctId }
      const argv = [
        ...Object.entries(named).flatMap(([option, text]) => (text === undefined ? [] : [option, text])),
        ...property.flatMap(one => ['--property', typedText(one)]),
        ...where.flatMap(one => ['--where', typedText(one)]),
        // An email or a distinct id alone would be a list of one.
        ...['--where', 'id>0'],
      ]
      const before = server.asked.length
      const { code, stderr } = await world.run(['persons', ...verb.argv, ...argv, '--yes', '--max', '99'], { env })
      const isMeant = (row: ReferenceRecord) =>
        selectsPerson(words, row) &&
        property.every(one => selects(one, row.properties as ReferenceRecord)) &&
        where.every(one => selectsAt(one, row))
      const wanted = rows.filter(isMeant).map(({ id }) => `${verb.method} ${id}`)
      expect([written(server.asked.slice(before)), code, stderr]).toEqual([wanted.toSorted(), 0, stderr])
    }),
    { numRuns: 25 },
  )
})

test('all persons, and ids in any order, are written to if their number equals --expect, else none', async () => {
  let rows: readonly ReferenceRecord[] = []
  const { server, world, env } = await startService((asked, response) =>
    isList(asked) ? json(response, { next: null, results: rows }) : accepting(asked, response),
  )
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(ids, fc.boolean(), fc.integer({ min: -1, max: 1 }), async (chosen, isAll, off) => {
      rows = chosen.map(personRow)
      const count = Math.max(0, chosen.length + off)
      const before = server.asked.length
      const targets = isAll ? ['--all'] : chosen.map(String)
      const argv = ['persons', 'delete', ...targets, '--expect', String(count), '--yes']
      const { code } = await world.run(argv, { env })
      const wanted = count === chosen.length ? chosen.map(id => `DELETE ${id}`).toSorted() : []
      expect([code, written(server.asked.slice(before))]).toEqual([count === chosen.length ? 0 : 10, wanted])
    }),
    { numRuns: 10 },
  )
})

const record = {
  name: fc.constantFrom('Pro', 'trial', '30', ''),
  created_at: fc.constantFrom('2026-01-31', '2026-02-01T00:00:00Z', null),
  tags: value,
  last_seen_at: value,
  created_by: fc.constantFrom(null, { email: 'ada@example.com' }),
}
const definitionFields = ['name', 'created_at', 'tags', 'last_seen_at', 'created_by', 'created_by.email']
const updating = ['event-definitions', 'update', '--post-to-slack']

test.each([
  [updating, 'PATCH', definitionFields],
  [['event-definitions', 'delete'], 'DELETE', definitionFields],
  [['plugins', 'delete'], 'DELETE', ['name']],
] as const)('%j by --where over all pages are written to exactly once', async (words, method, fields) => {
  let rows: readonly ReferenceRecord[] = []
  const { server, world, env } = await startService((asked, response) => {
    if (!isList(asked)) return accepting(asked, response)
    const from = Number(asked.query.get('offset') ?? 0)
    const next = from + 3 < rows.length ? `?offset=${from + 3}` : null
    json(response, { next, results: rows.slice(from, from + 3) })
  })
  const place = { ...env, ANALYTICS_ORGANIZATION: '018f0000-0000-4000-8000-000000000001' }
  const where = fc.array(condition(fields), { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record(record), { maxLength: 10 }), where, async (found, conditions) => {
      rows = found.map((row, i) => ({ id: i + 1, ...row }))
      const options = [...conditions.map(typedText), 'id>0'].flatMap(filter => ['--where', filter])
      const before = server.asked.length
      const { code, stderr } = await world.run([...words, ...options, '--yes', '--max', '99'], { env: place })
      const wanted = rows.filter(row => conditions.every(one => selectsAt(one, row)))
      const asked = written(server.asked.slice(before))
      expect([asked, code, stderr]).toEqual([wanted.map(({ id }) => `${method} ${id}`).toSorted(), 0, stderr])
    }),
    { numRuns: 15 },
  )
})
