import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { version } from '../../package.json' with { type: 'json' }
import { itemOf } from '../../src/json/read-item.ts'
import { settingsYaml } from '../../src/settings/export-settings.ts'
import { fields } from '../../src/settings/fields.ts'
import { manifestSchema, settingsSchema } from '../../src/settings/schemas.ts'
import * as fc from '../fast-check.ts'
import { refusal } from '../settings/files.ts'
import { anyProject, otherValue } from '../settings/projects.ts'

/** The schema as it is shipped. */
const shipped: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../dist/settings.schema.json'), 'utf8'))
const validate = new Ajv().compile(shipped as object)

const heading = { id: '1', command: 'analytics projects diff 1 -f FILE' }

test('what is shipped is what the rows say', () => {
  expect(shipped).toEqual(settingsSchema(version))
})

test('it takes whatever pull writes', () => {
  fc.assert(
    fc.property(anyProject, project => {
      expect(validate(parse(settingsYaml(itemOf(project), heading)))).toBe(true)
    }),
    { numRuns: 50 },
  )
})

test('it takes another value of every field, null and, for a single value, a variable', () => {
  for (const [field, kind] of fields) {
    expect([field, validate({ [field]: parse(otherValue(kind, null)) })]).toEqual([field, true])
    expect([field, validate({ [field]: null })]).toEqual([field, true])
    expect([field, validate({ [field]: `\${NAME}` })]).toEqual([field, kind.item === undefined])
  }
})

test.for([
  'time_zone: UTC',
  'id: 3',
  'api_token: x',
  'timezone: Europe/Berln',
  'timezone: [UTC]',
  'timezone: 5',
  'name: {a: b}',
  'name: 5',
  'anonymize_ips: no',
  'anonymize_ips: "true"',
  'anonymize_ips: 1',
  'week_start_day: 2',
  'week_start_day: "1"',
  'primary_dashboard: 1.5',
  'primary_dashboard: "7"',
  'session_recording_sample_rate: 0.5',
  'app_urls: https://a.example.com',
  'app_urls: [5]',
  'app_urls: [null]',
  '- name: a',
])('what it rejects is refused by the program as well: %j', async text => {
  expect(validate(parse(text))).toBe(false)
  expect(await refusal({ files: { 's.yaml': text } })).not.toBe('taken')
})

test('the schema of a manifest is shipped, and takes what the program takes', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../dist/manifest.schema.json'), 'utf8'),
  )
  expect(manifest).toEqual(manifestSchema(version))
  const fits = new Ajv().compile(manifest as object)
  expect(fits(parse('defaults: [base.yaml]\nprojects: [{id: 1, files: [shop.yaml]}, {id: "2"}]'))).toBe(true)
  for (const wrong of ['projects: []', 'projects: [{files: [a]}]', 'default: [a]\nprojects: [{id: 1}]', '- 1']) {
    expect(fits(parse(wrong))).toBe(false)
  }
})

test('each schema names the version that it came with', () => {
  for (const schema of [settingsSchema('1.2.3'), manifestSchema('1.2.3')]) {
    expect(schema).toMatchObject({ $id: expect.stringContaining('/cli@1.2.3/dist/') })
  }
})
