/**
 * Random populations and random filters, whole commands over real HTTP: the writes that come in are exactly those of the
 * objects that a slow reference selects, and none where the server ignores a filter.
 */

import { expect, test } from 'vitest'
import * as fc from '../fast-check.ts'
import { visit } from '../sandbox/visit.ts'
import { type Asked, json } from '../server.ts'
import { startService, writesOf } from '../service.ts'
import {
  type PersonWords,
  type ReferenceRecord,
  selects,
  selectsAt,
  selectsPerson,
  type Typed,
  typedText,
} from './reference.ts'

const keys = ['plan', 'age', 'a.b', 'seen', 'tags']
const texts = ['pro', 'Pro', 'trial', '9', '30', '-1.5', '2026-01-31', '2026-02-01T00:00:00Z', '']
const value = fc.oneof(
  fc.constantFrom<unknown>(...texts, 0, 9, 30, -1.5, true, null),
  fc.array(fc.constantFrom<unknown>('pro', '9', 30, null), { maxLength: 2 }),
)
const emails = [
  'ada@example.com',
  'ADA@example.com',
  'zo\u00eb@example.com',
  'zoe\u0308@example.com',
  'bob@example.com',
]
const distinctIds = ['ada', 'Ada', 'device 1', '7', 'bob@example.com', 'x']

const person = fc.record(
  {
    email: fc.constantFrom(...emails),
    properties: fc.dictionary(fc.constantFrom(...keys), value),
    distinctId: fc.constantFrom(...distinctIds),
  },
  { requiredKeys: ['properties'] },
)

/** The persons of a run replace those of the last; no two may have one distinct id. */
function rowsOf(people: readonly (typeof person extends fc.Arbitrary<infer P> ? P : never)[]): string[] {
  const taken = new Set<string>()
  return Array.from({ length: most }, (_, i) => {
    const { email, properties, distinctId } = people[i] ?? { properties: {} }
    const isFree = distinctId !== undefined && !taken.has(distinctId)
    if (isFree) taken.add(distinctId)
    const uuid = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`
    const distinct_ids = [`p${i}`, ...(isFree ? [distinctId] : [])]
    const own = { ...properties, ...(email === undefined ? {} : { email }) }
    return JSON.stringify({ uuid, distinct_ids, properties: own })
  })
}

const most = 12

function condition(fields: readonly string[]): fc.Arbitrary<Typed> {
  const key = fc.constantFrom(...fields)
  const shown = texts.filter(text => text !== '')
  return fc.oneof(
    fc.record({
      key,
      sign: fc.constantFrom('=' as const, '!=' as const, '~' as const, '!~' as const),
      value: fc.constantFrom(...shown),
    }),
    fc.record({
      key,
      sign: fc.constantFrom('>' as const, '<' as const, '>=' as const, '<=' as const),
      value: fc.constantFrom('9', '30', '-1.5', '2026-01-31', '2026-02-01T00:00:00Z', '-90d'),
    }),
    fc.record({ key, sign: fc.constantFrom('set' as const, 'not set' as const), value: fc.constant('') }),
  )
}

const few = { maxLength: 2 }
const words: fc.Arbitrary<PersonWords> = fc.record(
  {
    email: fc.constantFrom(...emails),
    search: fc.constantFrom('ada', 'BOB@', 'zo\u00eb', 'example.com', 'device 1', 'Ada', '7'),
    distinctId: fc.constantFrom(...distinctIds),
  },
  { requiredKeys: [] },
)

interface Selecting {
  readonly words: PersonWords
  readonly property: readonly Typed[]
  readonly where: readonly Typed[]
}

const selecting: fc.Arbitrary<Selecting> = fc
  .record({
    words: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: words }),
    property: fc.array(condition(keys), few),
    where: fc.array(condition([...keys.map(key => `properties.${key}`), 'name', 'created_at']), few),
  })
  .filter(({ words, property, where }) => Object.keys(words).length + property.length + where.length > 0)

function argvOf({ words, property, where }: Selecting): string[] {
  const options = { '--email': words.email, '--search': words.search, '--distinct-id': words.distinctId }
  return [
    ...Object.entries(options).flatMap(([name, text]) => (text === undefined ? [] : [name, text])),
    ...property.flatMap(one => ['--property', typedText(one)]),
    ...where.flatMap(one => ['--where', typedText(one)]),
  ]
}

function fits({ words, property, where }: Selecting, record: ReferenceRecord): boolean {
  const own = record.properties as ReferenceRecord
  return (
    selectsPerson(words, record) &&
    property.every(one => selects(one, own)) &&
    where.every(one => selectsAt(one, record))
  )
}

/** A write as `DELETE 7`. */
const written = (asked: readonly Asked[]) =>
  writesOf(asked)
    .map(({ method, path }) => `${method} ${path.split('/').at(-2)}`)
    .toSorted()

const verbs = fc.constantFrom(
  { argv: ['delete'], method: 'DELETE' },
  { argv: ['update', '--set', 'touched=NEW'], method: 'PATCH' },
  { argv: ['update-property', '--key', 'touched', '--value', 'NEW'], method: 'POST' },
)

test.each(['documented', 'observed'] as const)('persons of the sandbox (%s)', async dialect => {
  const { sandbox, ask, get } = await visit({ dialect })
  const { server, world, env } = await startService(async ({ method, path, query, body }, response) => {
    const { status, text } = await ask(method, `${path}?${query}`, body === '' ? undefined : body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: most }), selecting, verbs, async (people, chosen, verb) => {
      await sandbox.load(rowsOf(people).map(String))
      const { results } = await get('/api/projects/1/persons/?limit=1000')
      const wanted = results.filter(record => fits(chosen, record as unknown as ReferenceRecord)).map(({ id }) => id)
      const before = server.asked.length
      // Nothing would be sent for a value that all have from the run before.
      run++
      const words = verb.argv.map(word => word.replace('NEW', `run ${run}`))
      const argv = ['persons', ...words, ...argvOf(chosen), '--yes', '--max', '999', '-o', 'ndjson']
      const { code, stderr } = await world.run(argv, { env })
      const path = verb.method === 'POST' ? 'update_property' : undefined
      const expected = wanted.map(id => `${verb.method} ${path ?? id}`)
      expect([written(server.asked.slice(before)), code, stderr]).toEqual([expected.toSorted(), 0, stderr])
    }),
    { numRuns: 20 },
  )
})

test('all persons, and ids in any order, are written to exactly as often as --expect says, or not at all', async () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(ids, fc.boolean(), fc.integer({ min: -1, max: 1 }), async (chosen, isAll, off) => {
      const rows = chosen.map(id => ({ id, distinct_ids: [], properties: {} }))
      const { server, world, env } = await serveRows('persons', rows)
      const targets = isAll ? ['--all'] : chosen.map(String)
      const count = Math.max(0, chosen.length + off)
      const argv = ['persons', 'delete', ...targets, '--expect', String(count), '--yes']
      const { code } = await world.run(argv, { env })
      const isRight = count === chosen.length
      expect([code, written(server.asked)]).toEqual([
        isRight ? 0 : 10,
        isRight ? chosen.map(id => `DELETE ${id}`).toSorted() : [],
      ])
    }),
    { numRuns: 10 },
  )
})

const whole = {
  name: fc.constantFrom('Pro', 'trial', '30', ''),
  created_at: fc.constantFrom('2026-01-31', '2026-02-01T00:00:00Z', null),
}
const collections = {
  event_definitions: {
    argvs: [
      ['event-definitions', 'delete'],
      ['event-definitions', 'update', '--post-to-slack'],
    ],
    record: fc.record({
      ...whole,
      tags: value,
      last_seen_at: value,
      created_by: fc.constantFrom(null, { email: 'ada@example.com' }),
    }),
    fields: ['name', 'created_at', 'tags', 'last_seen_at', 'created_by', 'created_by.email'],
  },
  plugins: {
    argvs: [['plugins', 'delete']],
    record: fc.record({
      ...whole,
      is_global: fc.boolean(),
      latest_tag: value,
      config_schema: fc.record({ plan: value }),
    }),
    fields: ['name', 'is_global', 'latest_tag', 'config_schema.plan'],
  },
  projects: {
    argvs: [['projects', 'update', '--no-anonymize-ips']],
    record: fc.record({ ...whole, is_demo: fc.boolean(), week_start_day: value, recording_domains: value }),
    fields: ['name', 'is_demo', 'created_at', 'week_start_day', 'recording_domains'],
  },
} as const

const organization = '018f0000-0000-4000-8000-000000000001'

/** A list of three rows a page, of projects with few of their fields, where no parameter but the page counts. */
function serveRows(collection: string, rows: readonly ReferenceRecord[]) {
  return startService(({ method, path, query, body }, response) => {
    if (method === 'DELETE') return void response.writeHead(204).end()
    const id = Number(path.split('/').at(-2))
    if (id > 0 && !path.endsWith(`/${collection}/`)) {
      const row = rows.find(one => one.id === id) ?? {
        id,
        name: 'Shop',
        organization,
      }
      return json(response, method === 'GET' ? row : { ...row, ...JSON.parse(body) })
    }
    const from = Number(query.get('offset') ?? 0)
    const results = rows
      .slice(from, from + 3)
      .map(row => (collection === 'projects' ? { id: row.id, name: row.name, is_demo: row.is_demo } : row))
    json(response, { next: from + 3 < rows.length ? `?offset=${from + 3}` : null, results })
  })
}

test.each(Object.entries(collections))('%s by --where', async (collection, { argvs, record, fields }) => {
  const rows = fc.array(record as fc.Arbitrary<ReferenceRecord>, { maxLength: 10 })
  const where = fc.array(condition(fields), { minLength: 1, maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(rows, where, fc.constantFrom<readonly string[]>(...argvs), async (found, conditions, argv) => {
      const records = found.map((row, i) => ({ id: i + 1, ...row }))
      const { server, world, env } = await serveRows(collection, records)
      const place = { ...env, ANALYTICS_ORGANIZATION: organization }
      const options = conditions.flatMap(one => ['--where', typedText(one)])
      const { code, stderr } = await world.run([...argv, ...options, '--yes', '--max', '99'], { env: place })
      const method = argv.includes('delete') ? 'DELETE' : 'PATCH'
      const wanted = records
        .filter(row => conditions.every(one => selectsAt(one, row)))
        .map(({ id }) => `${method} ${id}`)
      expect([written(server.asked), code, stderr]).toEqual([wanted.toSorted(), 0, stderr])
    }),
    { numRuns: 15 },
  )
})

test('a server that ignores filters: either all that it answers is meant, or nothing is written', async () => {
  const people = fc.array(person, { minLength: 1, maxLength: 5 })
  // A search is also met by a text that the service would not have looked at.
  const exact = selecting.filter(({ words }) => words.search === undefined)
  await fc.assert(
    fc.asyncProperty(people, exact, async (found, chosen) => {
      const records = rowsOf(found)
        .slice(0, found.length)
        .map((row, i) => ({
          id: i + 1,
          name: `Person ${i}`,
          created_at: '2026-01-31T00:00:00Z',
          ...JSON.parse(row.toString()),
        }))
      const { server, world, env } = await serveRows('persons', records)
      const { code } = await world.run(['persons', 'delete', ...argvOf(chosen), '--yes', '--max', '99'], { env })
      const { words, property } = chosen
      const isMeant = (row: ReferenceRecord) => fits({ words, property, where: [] }, row)
      const isObeyed = records.every(isMeant) && !(words.distinctId !== undefined && records.length > 1)
      const wanted = records.filter(row => isMeant(row) && chosen.where.every(one => selectsAt(one, row)))
      const outcomes = [code, written(server.asked)]
      // For a negation the server is asked whether anybody has the property, and shows then that it ignores filters.
      const mayBeRefused = !isObeyed || property.some(({ sign }) => sign.startsWith('!') || sign === 'not set')
      if (!mayBeRefused || code === 0) expect(outcomes).toEqual([0, wanted.map(({ id }) => `DELETE ${id}`)])
      else expect(outcomes).toEqual([10, []])
      if (!isObeyed) expect(code).toBe(10)
    }),
    { numRuns: 30 },
  )
})
