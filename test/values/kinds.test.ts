import { expect, test } from 'vitest'
import { pathFilter } from '../../src/filters/filter.ts'
import { age } from '../../src/values/duration.ts'
import { dateTime } from '../../src/values/kinds.ts'
import { timezone } from '../../src/values/timezones.ts'

test.each([
  ['2026-01-01', 'day'],
  ['2024-02-29', 'day'],
  ['2026-02-29', undefined],
  ['2026-1-1', undefined],
  ['2026-01-01T00:00:00Z', 'time'],
  ['2026-01-01 12:30', 'time'],
  ['2026-01-01T12:30:15.123456+0530', 'time'],
  ['2026-01-01 00:00:00+00', 'time'],
  ['2026-01-01T12:30+1', undefined],
  ['2026-01-01T24:00:00Z', undefined],
  ['2026-02-30T00:00:00Z', undefined],
  ['2026-01-01T23:60:00Z', undefined],
  ['12:30', undefined],
  ['', undefined],
])('%s is accepted as an option and in a filter', (text, what) => {
  const isTaken = 'value' in dateTime.parse(text) && dateTime.check(text) === undefined
  expect(isTaken).toBe(what === 'time')
  expect('value' in pathFilter.parse(`created_at>${text}`)).toBe(what !== undefined)
})

test.each([
  'Europe/Berlin',
  'UTC',
  'GMT',
  'US/Eastern',
  'Asia/Calcutta',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+3',
  'EST5EDT',
  'Africa/Porto-Novo',
  'America/Port-au-Prince',
])('%s is a time zone', name => {
  expect([timezone.parse(name), timezone.check(name)]).toEqual([{ value: name }, undefined])
})

test.each([
  ['Europe/Berln', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['US/eastern', undefined],
  ['Berlin', 'Europe/Berlin'],
  ['new york', 'America/New_York'],
  ['GMT+3', undefined],
  ['BST', undefined],
  ['+03:00', undefined],
  ['', undefined],
])('%j is not a time zone; the message suggests %s', (name, near) => {
  const parsed = timezone.parse(name)
  expect('problem' in parsed && /did you mean (.*)\?/.exec(parsed.problem)?.[1]).toBe(near)
  expect(timezone.check(name)).toBeDefined()
})

test('an age needs a clear unit', () => {
  expect([age.parse('30d'), age.parse('1w12h')]).toEqual([{ value: 30 * 86_400_000 }, { value: 7.5 * 86_400_000 }])
  for (const text of ['30', '6m', '', '-1d', 'd']) expect('problem' in age.parse(text)).toBe(true)
})
