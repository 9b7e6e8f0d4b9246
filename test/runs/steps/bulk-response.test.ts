/** What each response of bulk_delete means for each target, in any order. */
import { expect, test } from 'vitest'
import { bulkCountsIn, queuesUnasked, verdictsOf } from '../../../src/api/responses/bulk-response.ts'
import type { Json } from '../../../src/json/exact.ts'
import { uuidOf } from '../../model-service.ts'

const [a = '', b = '', c = '', stranger = ''] = [0xa1, 0xb2, 0xc3, 0xd4].map(number => uuidOf(number))
const orders = [
  [a, b, c],
  [a, c, b],
  [b, a, c],
  [b, c, a],
  [c, a, b],
  [c, b, a],
]
const all = 'deleted deleted deleted'
const unknown = 'unknown unknown unknown'
const error = (id: unknown) => ({ person_uuid: id, step: 'x' })

/** The verdicts of a, b and c; with events where they differ. */
test.each<[string, object | undefined, string, string?]>([
  ['nothing', undefined, all],
  ['all deleted', { persons_found: 3, persons_deleted: 3 }, all, unknown],
  ['all queued', { persons_found: 3, persons_queued_for_deletion: 3 }, all, unknown],
  ['all queued, not counted', { persons_found: 3, persons_queued_for_deletion: true }, all, unknown],
  [
    'some deleted, the others queued',
    { persons_found: 3, persons_deleted: 1, persons_queued_for_deletion: 2 },
    all,
    unknown,
  ],
  ['with all events', { persons_found: 3, persons_deleted: 3, events_queued_for_deletion: 3 }, all],
  ['with events, not counted', { persons_found: 3, persons_deleted: 3, events_queued_for_deletion: true }, all],
  ['with events of some', { persons_found: 3, persons_deleted: 3, events_queued_for_deletion: 2 }, all, unknown],
  ['with no events', { persons_found: 3, persons_deleted: 3, events_queued_for_deletion: false }, all, unknown],
  ['only found', { persons_found: 3 }, unknown],
  ['found too few', { persons_found: 2, persons_deleted: 2 }, unknown],
  ['did more than it found', { persons_found: 2, persons_deleted: 3 }, unknown],
  ['found too many', { persons_found: 4, persons_deleted: 4 }, unknown],
  ['did too few', { persons_found: 3, persons_deleted: 1, persons_queued_for_deletion: 1 }, unknown],
  ['did nothing', { persons_found: 3, persons_deleted: 0, persons_queued_for_deletion: false }, unknown],
  [
    'one failed',
    { persons_found: 3, persons_deleted: 2, deletion_errors: [error(b)] },
    'deleted failed deleted',
    'unknown failed unknown',
  ],
  [
    'one failed, in capitals',
    { persons_found: 3, persons_deleted: 2, deletion_errors: [error(b.toUpperCase())] },
    'deleted failed deleted',
    'unknown failed unknown',
  ],
  [
    'all failed',
    { persons_found: 3, persons_deleted: 0, deletion_errors: [error(c), error(a), error(b)] },
    'failed failed failed',
  ],
  ['one failed, by number', { persons_found: 3, persons_deleted: 2, deletion_errors: [{ person_id: 7 }] }, unknown],
  ['one failed, not named', { persons_found: 3, persons_deleted: 2, deletion_errors: [{ step: 'x' }] }, unknown],
  ['a stranger failed', { persons_found: 3, persons_deleted: 3, deletion_errors: [error(stranger)] }, unknown],
  [
    'one failed, and was counted as deleted',
    { persons_found: 3, persons_deleted: 3, deletion_errors: [error(b)] },
    'unknown failed unknown',
  ],
  [
    'one not found',
    { persons_found: 2, persons_deleted: 2, ids_not_found: [c] },
    'deleted deleted missing',
    'unknown unknown missing',
  ],
  [
    'one not found, and none counted so',
    { persons_found: 3, persons_deleted: 3, ids_not_found: [c] },
    'unknown unknown missing',
  ],
  ['a stranger not found', { persons_found: 3, persons_deleted: 3, ids_not_found: [stranger] }, unknown],
  [
    'one not found and failed',
    { persons_found: 2, persons_deleted: 2, ids_not_found: [c], deletion_errors: [error(c)] },
    'unknown unknown failed',
  ],
  [
    'each has another end',
    {
      persons_found: 2,
      persons_deleted: 1,
      events_queued_for_deletion: 1,
      ids_not_found: [c],
      deletion_errors: [error(b)],
    },
    'deleted failed missing',
  ],
])('%s', (_, answer, without, withEvents = without) => {
  const counts = answer && bulkCountsIn({ ...answer })
  expect(counts === undefined).toBe(answer === undefined)
  for (const ids of orders) {
    for (const deletesEvents of [false, true]) {
      const verdicts = verdictsOf(ids, counts, deletesEvents)
      expect([a, b, c].map(id => verdicts.get(id)).join(' ')).toBe(deletesEvents ? withEvents : without)
    }
  }
})

test('unrequested event deletions are found in the counts', () => {
  const queued = (events_queued_for_deletion: Json) => bulkCountsIn({ persons_found: 1, events_queued_for_deletion })
  expect([true, 1, false, 0, null].map(value => queuesUnasked(queued(value), false))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(queuesUnasked(queued(true), true)).toBe(false)
})
