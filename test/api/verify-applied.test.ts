import { expect, test } from 'vitest'
import { findUnapplied, sameField } from '../../src/api/verify-applied.ts'
import { decode } from '../../src/json/exact.ts'

/** Compares two values of a field, each as JSON. */
const compare = (field: string, a: string, b: string) => sameField(field, decode(a), decode(b))

test.each([
  ['a number, however it is written', 'x', '1.0', '1'],
  ['members in another order', 'x', '{"a":1,"b":[2]}', '{"b":[2.0],"a":1}'],
  ['null and a member that is not there', 'x', '{"a":null}', '{}'],
  ['tags in another order and case, each once', 'tags', '["B","a ","b"]', '["a","b"]'],
  ['a sample rate with more places', 'session_recording_sample_rate', '"0.5"', '"0.50"'],
  ['a time in another zone', 'created_at', '"2026-01-01T01:00:00+01:00"', '"2026-01-01T00:00:00.000Z"'],
  ['a time without a zone, which is UTC', 'last_seen_at', '"2026-01-01T00:00:00"', '"2026-01-01T00:00:00Z"'],
  ['a number beyond every double', 'x', '1e400', '1e400'],
])('the same: %s', (_, field, a, b) => {
  expect([compare(field, a, b), compare(field, b, a)]).toEqual([true, true])
})

test.each([
  ['text and a number', 'x', '"1"', '1'],
  ['names that look like numbers', 'name', '"1.0"', '"1"'],
  ['integers that a double takes for one', 'x', '9007199254740993', '9007199254740992'],
  ['lists in another order', 'app_urls', '["a","b"]', '["b","a"]'],
  ['a list and an object', 'x', '[]', '{}'],
  ['false and nothing', 'x', 'false', 'null'],
  ['an empty text and nothing', 'x', '""', 'null'],
  ['numbers beyond every double', 'x', '1e400', '1e401'],
  ['members that every object has', 'x', '{"constructor":1}', '{}'],
  ['two sample rates', 'session_recording_sample_rate', '"0.5"', '"0.05"'],
  ['times a second apart', 'created_at', '"2026-01-01T00:00:00Z"', '"2026-01-01T00:00:01Z"'],
])('not the same: %s', (_, field, a, b) => {
  expect([compare(field, a, b), compare(field, b, a)]).toEqual([false, false])
})

test('what the record does not hold after a write is named, with what it holds instead', () => {
  const answer = { name: 'old', tags: ['a'] }
  expect(findUnapplied({ name: 'new', tags: ['A'], toString: 'x', tag: null }, answer)).toEqual([
    { field: 'name', wanted: 'new', got: 'old' },
    { field: 'toString', wanted: 'x', got: undefined },
  ])
})
