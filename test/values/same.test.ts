import { expect, test } from 'vitest'
import { kindAt } from '../../src/api/resources.ts'
import { decode, isObject } from '../../src/json/exact.ts'
import { findUnapplied } from '../../src/operations/change.ts'
import { isApplied as isAppliedTo, isSame, storedTag } from '../../src/values/same.ts'
import * as fc from '../fast-check.ts'
import { json } from '../server.ts'
import { startService } from '../service.ts'

/** Compares two values of a field, each as JSON. */
const compare = (field: string, a: string, b: string) => isSame(kindAt(field), decode(a), decode(b))

const isApplied = (field: string, wanted: unknown, got: unknown, before?: unknown) =>
  isAppliedTo(kindAt(field), wanted, got, before)

test.each([
  ['a number, however it is written', 'x', '1.0', '1'],
  ['a number with an exponent', 'x', '1.5e3', '1500'],
  ['negative zero', 'x', '-0.0', '0'],
  ['members in another order', 'x', '{"a":1,"b":[2]}', '{"b":[2.0],"a":1}'],
  ['null and a missing member', 'x', '{"a":null}', '{}'],
  ['text with blanks around it', 'name', '"My project "', '"My project"'],
  ['a list of such texts', 'app_urls', '["https://a.example.com "]', '["https://a.example.com"]'],
  ['tags in another order and case, each once', 'tags', '["B","a ","b"]', '["a","b"]'],
  ['a sample rate with more places', 'session_recording_sample_rate', '"0.5"', '"0.50"'],
  ['a sample rate as a number', 'session_recording_sample_rate', '"0.5"', '0.50'],
  ['a boolean as text', 'anonymize_ips', '"true"', 'true'],
  ['an integer as text', 'week_start_day', '"1"', '1'],
  ['a time in another zone', 'created_at', '"2026-01-01T01:00:00+01:00"', '"2026-01-01T00:00:00.000Z"'],
  ['a time without a zone, which is UTC', 'last_seen_at', '"2026-01-01T00:00:00"', '"2026-01-01T00:00:00Z"'],
  ['a day, which begins at midnight UTC', 'last_seen_at', '"2026-01-01"', '"2026-01-01T00:00:00Z"'],
  ['a time in small letters with blanks around it', 'created_at', '" 2026-01-01t00:00z "', '"2026-01-01T00:00:00Z"'],
  ['a number beyond every double', 'x', '1e400', '1e400'],
  ['an empty list and null', 'app_urls', '[]', 'null'],
])('equal values: %s', (_, field, a, b) => {
  expect([compare(field, a, b), compare(field, b, a)]).toEqual([true, true])
})

test.each([
  ['text and a number', 'x', '"1"', '1'],
  ['names that look like numbers', 'name', '"1.0"', '"1"'],
  ['names that look like times', 'name', '"2026-01-01"', '"2026-01-01T00:00:00Z"'],
  ['integers that are one double', 'x', '9007199254740993', '9007199254740992'],
  ['lists in another order', 'app_urls', '["a","b"]', '["b","a"]'],
  ['a list and an object', 'x', '[]', '{}'],
  ['false and null', 'x', 'false', 'null'],
  ['an empty text and null', 'x', '""', 'null'],
  ['numbers beyond every double', 'x', '1e400', '1e401'],
  ['members that every object has', 'x', '{"constructor":1}', '{}'],
  ['blanks in free-form data', 'properties', '{"a":"b "}', '{"a":"b"}'],
  ['two sample rates', 'session_recording_sample_rate', '"0.5"', '"0.05"'],
  ['a sample rate and null', 'session_recording_sample_rate', '"0.5"', 'null'],
  ['times a second apart', 'created_at', '"2026-01-01T00:00:00Z"', '"2026-01-01T00:00:01Z"'],
  ['two texts that are not times', 'created_at', '"yesterday"', '"today"'],
  ['a list and a longer one', 'app_urls', '["a"]', '["a","b"]'],
  ['tags and more tags', 'tags', '["a"]', '["a","b"]'],
  ['an empty list and null in free-form data', 'properties', '[]', 'null'],
])('different values: %s', (_, field, a, b) => {
  expect([compare(field, a, b), compare(field, b, a)]).toEqual([false, false])
})

test('null differs from a missing property, but not from a missing field', () => {
  expect(isApplied('properties.plan', undefined, null)).toBe(false)
  expect(isApplied('properties.plan', null, undefined)).toBe(false)
  expect(isApplied('properties.plan', undefined, undefined)).toBe(true)
  expect(isApplied('name', null, undefined)).toBe(true)
})

test('a server may add members, but not keep the old value or one of its members', () => {
  expect(isApplied('extra_settings', { a: 1 }, { a: 1, new: 2 }, { a: 1, old: 2 })).toBe(true)
  expect(isApplied('extra_settings', { a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3 })).toBe(false)
  expect(isApplied('extra_settings', { x: { a: 1 } }, { x: { a: 1, b: 2 } }, { x: { a: 3, b: 2 } })).toBe(false)
  const list = [{ a: 1, b: 2 }]
  expect([isApplied('extra_settings', [{ a: 1 }], list), isApplied('extra_settings', [{ a: 1 }], list, list)]).toEqual([
    true,
    false,
  ])
})

test('a change names the fields and properties that the record lacks afterwards', () => {
  const record = { name: 'old', tags: ['a'], properties: { plan: 'pro', seats: 2 } }
  const fields = { name: 'new', tags: ['A'], toString: 'x', tag: null }
  const change = { ...fields, properties: { plan: 'free' }, $unset: ['seats', 'trial'] }
  expect(findUnapplied(change, record)).toEqual(['name', 'toString', 'plan', 'seats'])
  expect(findUnapplied(change, { ...record, properties: undefined })).toBeUndefined()
  expect(findUnapplied(fields, { ...record, properties: undefined })).toEqual(['name', 'toString'])
})

const value = fc.jsonValue({ maxDepth: 3 }).map(one => decode(JSON.stringify(one)))
const blanks = fc.stringMatching(/^[ \t\n]{0,3}$/)

test('a free-form object that comes back with more members was applied; one with fewer or others was not', () => {
  const object = fc.dictionary(
    fc.string(),
    value.filter(one => one !== null),
    { minKeys: 1 },
  )
  fc.assert(
    fc.property(object, fc.dictionary(fc.string(), value), (sent, others) => {
      const kept = { ...others, ...sent }
      expect(isApplied('properties', sent, kept)).toBe(true)
      expect(isApplied('properties', { within: sent }, { within: kept, other: 1 })).toBe(true)
      const [name = ''] = Object.keys(sent)
      expect(isApplied('properties', sent, { ...kept, [name]: ['changed', sent[name]] })).toBe(false)
      const { [name]: _, ...fewer } = kept
      expect(isApplied('properties', sent, fewer)).toBe(false)
    }),
  )
})

test('text that comes back trimmed was applied; any other text was not', () => {
  fc.assert(
    fc.property(fc.string(), blanks, blanks, fc.string(), (text, before, behind, other) => {
      expect(isApplied('name', before + text + behind, text.trim())).toBe(true)
      if (other.trim() !== text.trim()) expect(isApplied('name', text, other)).toBe(false)
    }),
  )
})

test('numbers are compared by value', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), fc.nat(40), fc.nat(5), (a, b, shift, zeros) => {
      fc.pre(a !== 0n)
      const shifted = `${a}${'0'.repeat(shift)}`
      expect(compare('x', `${a}.${'0'.repeat(zeros + 1)}`, String(a))).toBe(true)
      expect(compare('x', `${a}e${shift}`, shifted)).toBe(true)
      expect(compare('x', `${shifted}E-${shift}`, String(a))).toBe(true)
      expect(compare('x', String(a), String(b))).toBe(a === b)
    }),
  )
})

test('times are compared as instants, whatever their zone', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
      fc.integer({ min: -14, max: 14 }),
      fc.integer({ min: 1, max: 10_000 }),
      (date, hours, later) => {
        const local = new Date(date.getTime() + hours * 3_600_000).toISOString().slice(0, -1)
        const zone = `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
        expect(isSame(kindAt('last_seen_at'), date.toISOString(), local + zone)).toBe(true)
        expect(isSame(kindAt('last_seen_at'), date.toISOString(), new Date(date.getTime() + later).toISOString())).toBe(
          false,
        )
      },
    ),
  )
})

test.each([
  'created_at',
  'tags',
  'session_recording_sample_rate',
])('an object in %s whose conversion to text fails is compared', field => {
  const odd = '{"toString":false,"valueOf":1}'
  expect([compare(field, odd, odd), compare(field, odd, '"x"')]).toEqual([true, false])
  expect(compare(field, `[${odd}]`, `[${odd}]`)).toBe(true)
})

/** A server that applies each change: it trims texts and tags, adds members, and merges some objects. */
function stored(field: string, wanted: unknown, old: unknown, added: Record<string, unknown>): unknown {
  if (field === 'tags' && Array.isArray(wanted))
    return [...new Set(wanted.map(tag => storedTag(String(tag))))].reverse()
  if (typeof wanted === 'string') return field === 'name' ? wanted.trim() : wanted
  if (!isObject(wanted) || Object.keys(wanted).length === 0) return wanted
  return { ...added, ...(field === 'session_replay_config' && isObject(old) ? old : {}), ...wanted }
}

test('a server that stores a value applied it, and one that kept the old value did not', () => {
  const some = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value)
  const cases = fc.oneof(
    fc.tuple(fc.constant('name'), fc.string(), fc.string()),
    fc.tuple(fc.constant('tags'), fc.array(fc.string()), fc.array(fc.string())),
    fc.tuple(fc.constantFrom('extra_settings', 'properties.plan', 'session_replay_config'), some, some),
  )
  fc.assert(
    fc.property(cases, fc.dictionary(fc.constantFrom('x', 'y'), value), ([field, wanted, before], added) => {
      const got = stored(field, wanted, before, added)
      expect(isApplied(field, wanted, got)).toBe(true)
      expect(isApplied(field, wanted, got, before)).toBe(true)
      expect(isApplied(field, wanted, before, before)).toBe(isSame(kindAt(field), wanted, before))
      expect(isSame(kindAt(field), wanted, before)).toBe(isSame(kindAt(field), before, wanted))
    }),
  )
})

test('every value equals itself, whatever the field', () => {
  const field = fc.constantFrom('x', 'name', 'tags', 'created_at', 'properties', 'session_recording_sample_rate')
  fc.assert(
    fc.property(field, value, (name, one) => {
      expect(isApplied(name, one, one)).toBe(true)
    }),
  )
})

test('a number with very many zeros is compared quickly', () => {
  const zeros = '0'.repeat(300_000)
  expect(compare('x', `1${zeros}1`, `1${zeros}2`)).toBe(false)
  expect(compare('x', `1${zeros}`, '1e300000')).toBe(true)
})

test('text that the service trims and an object that it merges are applied', async () => {
  const { world, env } = await startService(({ body }, response) => {
    const { name = 'P', ...sent } = JSON.parse(body)
    json(response, { id: 1, ...sent, name: name.trim(), ...(sent.extra ? { extra: { ...sent.extra, old: 1 } } : {}) })
  })
  for (const words of [
    ['create', '--name', 'My project '],
    ['update', '1', '--name', ' My project'],
    ['update', '1', '--set-json', 'extra={"a":1}'],
  ]) {
    expect((await world.run(['projects', ...words], { env })).code).toBe(0)
  }
})

test('an empty object that came back with members was not applied', async () => {
  const { world, env } = await startService(({ body }, response) => {
    const [field = ''] = Object.keys(JSON.parse(body))
    json(response, { id: 1, [field]: { old: 1, none: null } })
  })
  const codeOf = async (field: string) =>
    (await world.run(['projects', 'update', '1', '--set-json', `${field}={}`], { env })).code
  expect([await codeOf('extra_settings'), await codeOf('data_attributes')]).toEqual([5, 5])
  // Servers merge this one.
  expect(await codeOf('session_replay_config')).toBe(0)
  expect(isApplied('extra_settings', {}, { none: null })).toBe(true)
})
