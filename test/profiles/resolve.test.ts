import fc from 'fast-check'
import { expect, test } from 'vitest'
import { settingsOf } from '../../src/profiles/current.ts'
import { resolve } from '../../src/profiles/resolve.ts'
import { type Setting, settingRows } from '../../src/profiles/settings.ts'
import { World } from '../world.ts'

/** Two texts that a setting of this kind can be read from, one for each place that it could come from. */
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

test.each(settingRows)('%s: option, then environment, then profile, then default', (name, row) => {
  const [first, second] = row.kind.choices ?? texts[row.kind.name] ?? expect.fail(`no example of ${row.kind.name}`)
  const pick = fc.constantFrom(undefined, first, second)
  const option = row.option ? pick : fc.constant(undefined)
  const variable = row.variable ? fc.oneof(pick, fc.constant('')) : fc.constant(undefined)
  const kept = row.profile ? pick : fc.constant(undefined)
  fc.assert(
    fc.property(option, variable, kept, (typed, environment, profile) => {
      const { values, origins } = resolve(
        typed === undefined ? {} : { [name]: value(row, typed) },
        row.variable ? { [row.variable]: environment } : {},
        profile === undefined ? {} : { [name]: value(row, profile) as string },
      )
      // An empty variable is how a script says "not set"; NO_COLOR and its like mean what they say whatever they hold.
      const set = row.variable?.startsWith('NO_') && environment ? '1' : environment
      const places = [
        ['option', typed && value(row, typed), typed],
        ['environment', set && value(row, set), set],
        ['profile', profile && value(row, profile), profile],
        ['default', row.default, row.default],
      ] as const
      const [origin, wanted] = places.find(([, , given]) => given !== undefined && given !== '') ?? []
      expect([origins[name], values[name]]).toEqual([origin, wanted])
    }),
  )
})

test('of two safety levels the stricter wins, wherever it stands, and is said to come from there', async () => {
  const levels = [undefined, 'no-delete', 'read-only'] as const
  for (const [i, profile] of levels.entries()) {
    const world = new World()
    const safety = profile === undefined ? [] : ['--safety', profile]
    const added = await world.run(
      ['profiles', 'add', 'p', '--base-url', 'http://localhost', '--api-key-stdin', ...safety],
      {
        stdin: 'key',
      },
    )
    expect(added.code).toBe(0)
    for (const [j, environment] of levels.entries()) {
      const env = environment === undefined ? {} : { ANALYTICS_SAFETY: environment }
      const shown = await world.run(['profiles', 'show', '-o', 'ndjson'], { env })
      const row = shown.stdout.split('\n').find(line => line.includes('"safety"'))
      const strictest = levels[Math.max(i, j)]
      if (strictest === undefined) expect(row).toBe(undefined)
      else
        expect(JSON.parse(row ?? '')).toMatchObject({
          value: strictest,
          from: j >= i ? 'environment' : 'profile',
        })
    }
    world.remove()
  }
})

test('a variable that cannot be read is refused, never passed over', () => {
  const host = { env: { ANALYTICS_SAFETY: 'readonly' }, cwd: '/', home: undefined }
  expect(() => settingsOf({}, host as never, false)).toThrow('ANALYTICS_SAFETY')
})

test.each([
  '--faults 500@5%',
  '--seed 1',
  '--dialect observed',
])('%s is for the sandbox: without it nothing is sent', async options => {
  const world = new World()
  const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:9', ANALYTICS_API_KEY: 'k', ANALYTICS_PROJECT: '1' }
  const { code, stderr } = await world.run(['persons', 'delete', '1', '--yes', ...options.split(' ')], { env })
  world.remove()
  expect([code, stderr]).toEqual([2, expect.stringMatching(/ is for the sandbox\.\nGive --sandbox as well\.\n$/)])
})

test('a profile that is named and not there is nobody', async () => {
  const world = new World()
  const named = await world.run(['persons', 'list', '--profile', 'prod'])
  const meant = await world.run(['persons', 'list'], { env: { ANALYTICS_PROFILE: 'prod' } })
  world.remove()
  expect([named.code, meant.code, named.stderr]).toEqual([4, 4, expect.stringContaining('There is no profile "prod"')])
})
