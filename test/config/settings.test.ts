import { expect, test } from 'vitest'
import { configOfProfile } from '../../src/config/current.ts'
import { resolve, type Setting, settingRows } from '../../src/config/settings.ts'
import { safetyLevels } from '../../src/http/guard.ts'
import * as fc from '../fast-check.ts'
import { posixTest } from '../posix.ts'
import { newWorld } from '../world.ts'

/** Two valid texts of a setting, for two sources. */
const texts: Readonly<Record<string, readonly [string, string]>> = {
  string: ['one', 'two'],
  boolean: ['1', '0'],
  integer: ['7', '8'],
  duration: ['5m', '90s'],
  seconds: ['0.5', '30'],
  rate: ['1/s', '2/s'],
}

const value = (row: Setting, text: string): unknown => {
  if (row.kind.name === 'boolean') return text === '1'
  const parsed = row.kind.parse(text)
  return 'value' in parsed ? parsed.value : expect.fail(`${text} cannot be read`)
}

const { values: usual } = resolve({ options: {}, env: {}, profile: {} })

test.each(settingRows)('%s: option, then environment, then profile, then default', (name, row) => {
  const [first, second] = row.kind.choices ?? texts[row.kind.name] ?? expect.fail(`no example of ${row.kind.name}`)
  const pick = fc.constantFrom(undefined, first, second)
  const option = row.option ? pick : fc.constant(undefined)
  const variable = row.variable ? fc.oneof(pick, fc.constant('')) : fc.constant(undefined)
  const kept = row.isInProfile ? pick : fc.constant(undefined)
  fc.assert(
    fc.property(option, variable, kept, (typed, environment, profile) => {
      const { values, origins } = resolve({
        options: typed === undefined ? {} : { [name]: value(row, typed) },
        env: row.variable ? { [row.variable]: environment } : {},
        profile: profile === undefined ? {} : { [name]: value(row, profile) },
      })
      // Scripts use an empty variable for "not set". NO_COLOR and the like work with any other value.
      const set = row.variable?.startsWith('NO_') && environment ? '1' : environment
      const places = [
        ['option', typed && value(row, typed), typed],
        ['environment', set && value(row, set), set],
        ['profile', profile && value(row, profile), profile],
        ['default', usual[name], usual[name]],
      ] as const
      const [origin, wanted] = places.find(([, , given]) => given !== undefined && given !== '') ?? []
      expect([origins[name], values[name]]).toEqual([origin, wanted])
    }),
  )
})

test('the safety levels of profile and environment both apply, and read-only overrides no-delete', () => {
  type Level = (typeof safetyLevels)[number] | undefined
  const added = (safety: Level, environment: Level) => {
    const profile = safety === undefined ? {} : { safety }
    const env = environment === undefined ? {} : { ANALYTICS_SAFETY: environment }
    return configOfProfile('p', profile, {}, { env, cwd: '/', home: undefined } as never).safety?.level
  }
  for (const one of [undefined, ...safetyLevels]) {
    for (const other of [undefined, ...safetyLevels]) {
      const isReadOnly = one === 'read-only' || other === 'read-only'
      expect(added(one, other)).toBe(isReadOnly ? 'read-only' : (one ?? other))
    }
  }
})

test.each([
  ...['1', 'true', 'Yes', 'on', 'documented', 'observed'].map(word => [word, 0, '"name"'] as const),
  ...['0', 'false', 'no', 'off', ''].map(word => [word, 4, 'No base URL given'] as const),
  ...['dialect=observed', 'faults=429@5%', '2', 'n'].map(
    word => [word, 2, '"message":"ANALYTICS_SANDBOX cannot be '] as const,
  ),
])('ANALYTICS_SANDBOX=%s exits with %i', async (word, code, text) => {
  const env = { ANALYTICS_SANDBOX: word, ANALYTICS_OUTPUT: 'json' }
  const ran = await newWorld().run(['persons', 'list'], { env })
  expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringContaining(text)])
})

test('a switch is on for 1, true, yes and on; other words are off or an error', () => {
  const on = (word: string) =>
    resolve({ options: {}, env: { ANALYTICS_ALLOW_HTTP: word }, profile: {} }).values.allowHttp
  for (const word of ['1', 'true', 'YES', 'On']) expect(on(word)).toBe(true)
  for (const word of ['0', 'false', 'No', 'OFF']) expect(on(word)).toBe(false)
  for (const word of ['n', 'disabled', '2', ' ']) expect(() => on(word)).toThrow('ANALYTICS_ALLOW_HTTP')
})

posixTest('a relative CA file is relative to the working folder, or to config.json if the profile names it', () => {
  const host = { env: { ANALYTICS_CONFIG_DIR: '/config', ANALYTICS_CA_FILE: '' }, cwd: '/work', home: undefined }
  const from = (profile: object, more: object) =>
    configOfProfile('p', profile, {}, { ...host, env: { ...host.env, ...more } } as never).values.caFile
  expect(from({ caFile: 'ca.pem' }, {})).toBe('/config/ca.pem')
  expect(from({ caFile: 'ca.pem' }, { ANALYTICS_CA_FILE: 'own.pem' })).toBe('/work/own.pem')
  expect(from({}, {})).toBeUndefined()
})

test.each([
  [['--profile', 'prod'], {}],
  [[], { ANALYTICS_PROFILE: 'prod' }],
])('a missing profile exits with 4: %j %j', async (options, env) => {
  const { code, stderr } = await newWorld().run(['persons', 'list', ...options], { env })
  expect([code, stderr]).toEqual([4, expect.stringContaining('Profile "prod" was not found')])
})
