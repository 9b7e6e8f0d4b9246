import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/json/exact.ts'
import { decode, encode } from '../../src/json/exact.ts'
import { itemOf, readItem } from '../../src/json/read-item.ts'
import { createSecrets } from '../../src/secrets/secrets.ts'
import { compareSettings } from '../../src/settings/compare.ts'
import { previousSettings, settingsItem, settingsYaml } from '../../src/settings/export-settings.ts'
import { fields } from '../../src/settings/fields.ts'
import { readSettings } from '../../src/settings/read.ts'
import * as fc from '../fast-check.ts'
import { anyProject } from './projects.ts'

/** What stdin with this text wants. */
async function reading(content: string) {
  const read = async function* () {
    yield Buffer.from(content)
  }
  const stdin = { isTerminal: false, read, ask: async () => undefined }
  const options = {
    variables: { env: {}, allowed: [] },
    undocumented: false,
    shared: new Set<string>(),
    chosen: () => true,
    messages: { say: () => undefined, warn: () => undefined },
    secrets: createSecrets(),
  }
  const [state] = await readSettings({ cwd: '/', stdin, interrupted: new AbortController().signal }, [['-']], options)
  return state?.values ?? new Map<string, unknown>()
}

/** The lines without the heading. */
const lines = (yaml: string) => yaml.slice(yaml.indexOf('\n\n') + 2)

const heading = { id: '1', command: 'analytics projects diff 1 -f FILE' }

test('every writable field in the order of the document; a secret as a comment, without its value', () => {
  const secret = 'https://hooks.example.com/made-up'
  const record = Object.fromEntries([...fields.keys()].reverse().map(field => [field, null]))
  const yaml = settingsYaml(itemOf({ id: 1, ...record, slack_incoming_webhook: secret }), heading)
  expect(yaml).not.toContain(secret)
  expect(lines(yaml).trimEnd().split('\n')).toEqual(
    [...fields.keys()].map(field =>
      field === 'slack_incoming_webhook' ? `# ${field}: \${SLACK_INCOMING_WEBHOOK}` : `${field}: null`,
    ),
  )
})

test('what cannot be kept stands there as a comment that says why', () => {
  const yaml = lines(
    settingsYaml(readItem(Buffer.from('{"app_urls":[null],"timezone":"Moon/Sea\\nid: 1","name":"a"}')), heading),
  )
  expect(yaml.split('\n').slice(0, 2)).toEqual(['# app_urls: left out: item 1 must be a string, not null', 'name: a'])
  expect(yaml).toContain('# timezone: left out: "Moon/Sea\\nid: 1" is not one of')
  expect(yaml).toContain('# surveys_opt_in: this server does not have it\n')
})

test('a value of another type is written as the documented one where the service takes both for the same', () => {
  const project = {
    session_recording_sample_rate: 0.5,
    anonymize_ips: 'true',
    week_start_day: '1',
    name: 5,
    timezone: 1,
  }
  const item = itemOf(project)
  const values = { anonymize_ips: true, session_recording_sample_rate: '0.5', week_start_day: 1 }
  expect(JSON.parse(settingsItem(item).item.text)).toEqual(values)
  const { yaml, omitted } = previousSettings(item, 'analytics projects apply 1 -f before.yaml', field =>
    Object.hasOwn(project, field),
  )
  expect(omitted.map(({ field }) => field)).toEqual(['name', 'timezone'])
  expect(lines(yaml)).toContain('session_recording_sample_rate: "0.5"\nweek_start_day: 1\n')
})

test('a text that looks like a variable is written so that it is none', () => {
  const item = readItem(Buffer.from(`{"name":"\${A}","extra_settings":{"\${K}":["$\${B}","x \${C}"]}}`))
  expect(lines(settingsYaml(item, heading))).toContain(`name: $\${A}\n`)
  expect(settingsItem(item).item.text).toBe(`{"name":"$\${A}","extra_settings":{"\${K}":["$$\${B}","x \${C}"]}}`)
})

test('reading what was pulled leaves no difference, in YAML and in JSON', async () => {
  await fc.assert(
    fc.asyncProperty(anyProject, async project => {
      const item = itemOf(project)
      const record = decode(item.text) as JsonObject
      for (const file of [settingsYaml(item, heading), settingsItem(item).item.text]) {
        const wanted = await reading(file)
        expect([...wanted.keys()]).toEqual([...fields.keys()].filter(field => field !== 'slack_incoming_webhook'))
        expect(compareSettings(wanted, record)).toEqual([])
        expect(encode(wanted.get('extra_settings'))).toBe(encode(record.extra_settings))
      }
    }),
    { numRuns: 30 },
  )
})
