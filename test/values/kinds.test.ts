import { expect, test } from 'vitest'
import { pathFilter } from '../../src/filters/filter.ts'
import { dateTime, day } from '../../src/values/kinds.ts'

test.each([
  ['2026-01-01', 'day'],
  ['2024-02-29', 'day'],
  ['0026-05-15', 'neither'],
  ['1969-12-31', 'neither'],
  ['9999-12-31', 'neither'],
  ['2026-02-29', undefined],
  ['2026-1-1', undefined],
  ['2026-01-01T00:00:00Z', 'time'],
  ['2026-01-01 12:30', 'time'],
  ['2026-01-01T12:30:15.123456+0530', 'time'],
  ['2026-01-01 00:00:00+00', 'time'],
  ['2026-01-01T12:30-03', 'time'],
  ['2026-01-01T12:30+1', undefined],
  ['2026-01-01T24:00:00Z', undefined],
  ['2026-01-01T24:00', undefined],
  ['2026-02-30T00:00:00Z', undefined],
  ['2026-01-01T23:60:00Z', undefined],
  ['2026-01-01T', undefined],
  ['12:30', undefined],
  ['', undefined],
])('%s is taken as an option and in a filter alike', (text, what) => {
  const isTaken = (kind: typeof day) => 'value' in kind.parse(text) && kind.check(text) === undefined
  expect([isTaken(day), isTaken(dateTime)]).toEqual([what === 'day', what === 'time'])
  expect('value' in pathFilter.parse(`created_at>${text}`)).toBe(what !== undefined)
})
