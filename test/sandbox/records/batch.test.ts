import { describe, expect, test } from 'vitest'
import { nextBatch } from '../../../src/values/instant.ts'
import { type Visit, visit } from '../visit.ts'

const hour = 3600_000
const sunday = Date.UTC(2026, 4, 17, 5)
const ada = '/api/projects/1/persons/55/'

test.each([
  ['a Friday', Date.UTC(2026, 4, 15, 12), sunday],
  ['Sunday, just before', sunday - 1, sunday],
  ['Sunday at five', sunday, sunday + 7 * 24 * hour],
  ['Sunday at midnight', sunday - 5 * hour, sunday],
  ['Saturday, late', sunday - 6 * hour, sunday],
  ['a day before 1970', Date.UTC(1969, 11, 31, 12), Date.UTC(1970, 0, 4, 5)],
])('from %s on, the next batch is on Sunday 05:00 UTC', (_, now, due) => {
  expect(nextBatch(now)).toBe(due)
})

/** How many events the batches remove until the end of the year. */
function removedLater({ sandbox }: Visit): number {
  return sandbox.moveClock(Date.UTC(2026, 11, 31))
}

describe('the weekly batch', () => {
  test('removes the events of a person deleted with them, not before it is due', async () => {
    const { sandbox, ask } = await visit()
    expect((await ask('DELETE', `${ada}?delete_events=true`)).status).toBe(204)
    expect(sandbox.moveClock(sunday - 1)).toBe(0)
    expect(sandbox.moveClock(sunday)).toBe(3)
    expect(sandbox.moveClock(sunday + 8 * 24 * hour)).toBe(0)
  })

  test('runs by itself when its time has come', async () => {
    const here = await visit({ dialect: 'observed' })
    await here.ask('DELETE', `${ada}?delete_events=true`)
    here.now = sunday
    const { results } = await here.get('/api/projects/1/persons/activity/?limit=1')
    expect(results).toMatchObject([
      {
        activity: 'events_deleted',
        item_id: '55',
        detail: { changes: [{ before: 3, after: 0 }] },
        created_at: '2026-05-17T05:00:00.000Z',
      },
    ])
  })

  test.each([
    ['documented', '', 0],
    ['documented', '?delete_events=false', 0],
    ['documented', '?delete_events=0', 0],
    ['documented', '?delete_events=True', 3],
    ['observed', '', 0],
    ['observed', '?delete_events=false', 3],
    ['observed', '?delete_events=', 3],
  ] as const)('%s, DELETE%s: %i events', async (dialect, query, events) => {
    const here = await visit({ dialect })
    await here.ask('DELETE', ada + query)
    expect(removedLater(here)).toBe(events)
  })

  test('leaves the events of everybody else', async () => {
    const here = await visit()
    const events = async () => {
      const observed = await visit({ dialect: 'observed', folder: here.folder })
      const { text } = await observed.ask('GET', '/api/projects/1/persons/54/properties_timeline/')
      return JSON.parse(text).points[0].relevant_event_count
    }
    const before = await events()
    await here.ask('DELETE', `${ada}?delete_events=true`)
    expect([removedLater(here), before, await events()]).toEqual([3, 5, 5])
  })
})

describe('the clock', () => {
  test('goes on from where it was set, for whoever comes later', async () => {
    const first = await visit()
    expect(first.sandbox.clockNow()).toBe(first.now)
    first.sandbox.moveClock(sunday)
    first.now += hour
    expect(first.sandbox.clockNow()).toBe(sunday + hour)
    expect((await visit({ folder: first.folder })).sandbox.clockNow()).toBe(sunday)
  })

  test('can be set back', async () => {
    const { sandbox } = await visit()
    sandbox.moveClock(Date.UTC(2020, 0, 1))
    expect(sandbox.clockNow()).toBe(Date.UTC(2020, 0, 1))
  })
})
