import { expect, test } from 'vitest'
import { compareSettings } from '../../../src/commands/projects/diff.ts'
import { settingsYaml } from '../../../src/commands/projects/pull.ts'
import { type FileSetting, projectFields } from '../../../src/commands/projects/settings.ts'
import { decode, encode, isObject, type JsonObject } from '../../../src/json/exact.ts'
import { readYaml } from '../../../src/json/yaml.ts'
import { maskChange } from '../../../src/output/mask.ts'
import { boolean, json, type Kind } from '../../../src/values/kinds.ts'
import * as fc from '../../fast-check.ts'

const wanted = (values: JsonObject): FileSetting[] =>
  Object.entries(values).map(([field, value]) => ({ field, value, at: 's.yaml:1' }))

const decodeObject = (json: string) => {
  const value = decode(json)
  return isObject(value) ? value : {}
}
const changes = (file: string, record: string) => compareSettings(wanted(decodeObject(file)), decodeObject(record))

test('only the fields of the file are compared, in the order of the document; a missing field is null', () => {
  expect(changes('{"timezone":"UTC","name":"B","app_urls":[]}', '{"name":"A","app_urls":[],"is_demo":true}')).toEqual([
    { field: 'name', from: 'A', to: 'B' },
    { field: 'timezone', from: null, to: 'UTC' },
  ])
})

test.each([
  ['{"session_recording_sample_rate":"0.5"}', '{"session_recording_sample_rate":"0.50"}'],
  ['{"primary_dashboard":null}', '{}'],
  ['{"extra_settings":{"a":1,"b":[1.0]}}', '{"extra_settings":{"b":[1],"a":1}}'],
  ['{"name":" Shop "}', '{"name":"Shop"}'],
  ['{"extra_settings":{"b":1,"flag":null}}', '{"extra_settings":{"b":1}}'],
])('%s equals %s for the service', (one, other) => {
  expect(changes(one, other)).toEqual([])
})

test.each([
  ['{"app_urls":["a","b"]}', '{"app_urls":["b","a"]}'],
  ['{"primary_dashboard":9007199254740993}', '{"primary_dashboard":9007199254740992}'],
  ['{"extra_settings":" a"}', '{"extra_settings":"a"}'],
  ['{"not_documented":[{"separator":" "}]}', '{"not_documented":[{"separator":""}]}'],
])('%s differs from %s', (one, other) => {
  expect(changes(one, other)).toHaveLength(1)
  expect(changes(one, one)).toEqual([])
})

test('members that the file lacks are not a difference in an object that servers merge', () => {
  const record = '{"session_replay_config":{"canvas":true,"ai":{"opt_in":true,"events":["a"]}}}'
  expect(changes('{"session_replay_config":{"ai":{"opt_in":false}}}', record)).toEqual([
    { field: 'session_replay_config', from: { ai: { opt_in: true } }, to: { ai: { opt_in: false } } },
  ])
})

test('secrets are masked at any depth, and a changed one is visible as changed', () => {
  const hook = (end: string) => `https://hooks.example.com/${end}`
  expect(maskChange({ field: 'slack_incoming_webhook', from: hook('one'), to: hook('two') })).toEqual({
    field: 'slack_incoming_webhook',
    from: '(secret)',
    to: '(another secret)',
  })
  const deep = { field: 'extra_settings', from: {}, to: { old: [{ api_token: 'phc_made_up_token' }] } }
  expect(maskChange(deep).to).toEqual({ old: [{ api_token: '(secret)' }] })
})

/** Text that YAML must quote or escape, without placeholders. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.character, maxLength: 5 }),
    fc.constantFrom('no', '012', '1.0', '~', 'a: b', '# a', ' a', 'a\nb\n', '\u202e', `$\${A B}`, '<<', '=', '- a'),
  )
  .filter(one => !/^\*{3}.{0,4}$|^\$\{/s.test(one))

const number = fc
  .constantFrom('1.0', '9007199254740993', '-0', '1E400', '0.10')
  .map(one => decodeObject(`{"n":${one}}`).n)

const { tree } = fc.letrec<{ tree: unknown }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(text, number, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 3 }),
  ),
}))

function valueFor(kind: Kind<unknown>): fc.Arbitrary<unknown> {
  if (kind === json) return tree
  if (kind.item) return fc.array(text, { maxLength: 4 })
  if (kind === boolean) return fc.boolean()
  if (kind.name === 'integer') {
    return fc.oneof(fc.constantFrom(0, 1), fc.integer()).filter(value => kind.check(value) === undefined)
  }
  return kind.check('a') === undefined ? text : fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York')
}

const anyProject: fc.Arbitrary<JsonObject> = fc.record(
  Object.fromEntries([...projectFields].map(([field, kind]) => [field, fc.option(valueFor(kind), { freq: 8 })])),
)

test('applying a diff leaves no diff, and touches nothing else', () => {
  fc.assert(
    fc.property(anyProject, anyProject, fc.func(fc.boolean()), (now, then, managed) => {
      const some = wanted(then).filter(({ field }) => managed(field))
      const changed = compareSettings(some, now).map(({ field, to }) => [field, to])
      const body = decodeObject(encode(Object.fromEntries(changed)))
      expect(compareSettings(some, { ...now, ...body })).toEqual([])
      expect(Object.keys(body).filter(name => !some.some(({ field }) => field === name))).toEqual([])
    }),
  )
})

test('a pulled file has no difference', () => {
  fc.assert(
    fc.property(anyProject, record => {
      const members = readYaml(settingsYaml('42', record), 's.yaml')
      expect(members.find(({ name }) => name === 'project')?.value).toBe(42)
      const settings = members.filter(({ name }) => name !== 'project')
      expect(settings.map(({ name }) => name)).toEqual(
        [...projectFields.keys()].filter(name => !name.includes('webhook')),
      )
      expect(settings.flatMap(({ problem }) => problem ?? [])).toEqual([])
      expect(
        compareSettings(wanted(Object.fromEntries(settings.map(({ name, value }) => [name, value]))), record),
      ).toEqual([])
    }),
    { numRuns: 20 },
  )
})

test('a value that a file cannot hold becomes a comment with the reason; a rate becomes text', () => {
  const yaml = settingsYaml('1', {
    app_urls: [null],
    timezone: 'Moon/Sea\nid: 1',
    name: '***',
    slack_incoming_webhook: 'https://hooks.example.com/made-up',
    session_recording_sample_rate: 0.5,
    anonymize_ips: 'true',
  })
  expect(yaml).toContain('# app_urls: omitted: item 1 must be a string, not null\n')
  expect(yaml).toContain('# timezone: omitted: "Moon/Sea\\nid: 1" is not one of')
  expect(yaml).toContain('# name: omitted: its value looks like a placeholder')
  expect(yaml).toContain(`# slack_incoming_webhook: \${SLACK_INCOMING_WEBHOOK}\n`)
  expect(yaml).toContain('# surveys_opt_in: not on this server\n')
  expect(yaml).toContain('# anonymize_ips: omitted: must be a boolean, not')
  expect(yaml).toContain('\nsession_recording_sample_rate: "0.5"\n')
  expect(yaml).not.toContain('made-up')
})
