import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/json/exact.ts'
import { decode, encode } from '../../src/json/exact.ts'
import { compareSettings, patchBody, valuesOf } from '../../src/settings/compare.ts'
import { maskChanges } from '../../src/settings/mask-changes.ts'
import * as fc from '../fast-check.ts'
import { anyProject } from './projects.ts'

const wanted = (json: string) => new Map(Object.entries(decode(json) as JsonObject))
const project = (json: string) => decode(json) as JsonObject

test('only the fields that are wanted are compared, in the order of the document', () => {
  const changes = compareSettings(
    wanted('{"timezone":"UTC","name":"B","app_urls":[]}'),
    project('{"name":"A","app_urls":[],"is_demo":true,"timezone":null}'),
  )
  expect(changes).toEqual([
    { field: 'name', from: 'A', to: 'B' },
    { field: 'timezone', from: null, to: 'UTC' },
  ])
})

test('what is the same to the service is no change', () => {
  const same: [string, string][] = [
    ['{"session_recording_sample_rate":"0.5"}', '{"session_recording_sample_rate":"0.50"}'],
    ['{"primary_dashboard":null}', '{}'],
    ['{"extra_settings":{"a":1,"b":[1.0]}}', '{"extra_settings":{"b":[1],"a":1}}'],
  ]
  for (const [one, other] of same) expect(compareSettings(wanted(one), project(other))).toEqual([])
})

test('a null member of a free-form value is data', () => {
  const differing: [string, string][] = [
    ['{"extra_settings":{"b":1,"flag":null}}', '{"extra_settings":{"b":1}}'],
    ['{"test_account_filters":["x",{"a":null}]}', '{"test_account_filters":["x",{}]}'],
  ]
  for (const [one, other] of differing) {
    expect(compareSettings(wanted(one), project(other))).toHaveLength(1)
    expect(compareSettings(wanted(one), project(one))).toEqual([])
    // A server may add it.
    expect(compareSettings(wanted(other), project(one))).toEqual([])
  }
})

test('the order of a list matters, and so does every digit of a number', () => {
  expect(compareSettings(wanted('{"app_urls":["a","b"]}'), project('{"app_urls":["b","a"]}'))).toHaveLength(1)
  expect(
    compareSettings(
      wanted('{"primary_dashboard":9007199254740993}'),
      project('{"primary_dashboard":9007199254740992}'),
    ),
  ).toHaveLength(1)
})

test('secrets are masked, wherever they stand', () => {
  const change = { field: 'slack_incoming_webhook', from: null, to: 'https://hooks.example.com/made-up' }
  const deep = { field: 'extra_settings', from: {}, to: { old: [{ api_token: 'phc_made_up_token' }] } }
  expect(maskChanges([change, deep], { fromVariables: new Set(), hide: text => text })).toEqual([
    { field: 'slack_incoming_webhook', from: null, to: '(secret)' },
    { field: 'extra_settings', from: {}, to: { old: [{ api_token: '(secret)' }] } },
  ])
})

test('applying a diff leaves no diff, and touches nothing else', () => {
  fc.assert(
    fc.property(anyProject, anyProject, fc.func(fc.boolean()), (now, then, managed) => {
      const some = new Map([...valuesOf(then)].filter(([field]) => managed(field)))
      const body = decode(encode(patchBody(compareSettings(some, now)))) as JsonObject
      const after = { ...now, ...body }
      expect(compareSettings(some, after)).toEqual([])
      expect(Object.keys(body).filter(field => !some.has(field))).toEqual([])
    }),
    { numRuns: 100 },
  )
})
