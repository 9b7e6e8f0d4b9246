/** Delayed work: the weekly deletion of events, and changes that servers make after 202. */
import { nextBatch } from '../../values/instant.ts'
import { type Members, readMembers, writeMembers } from '../members.ts'
import { readFact, type Store } from '../store/store.ts'
import { log } from './activity.ts'
import { mergeProperties, type Person } from './persons.ts'

/** Milliseconds: this machine's clock plus the offset that the user set. */
export function timeOf(store: Store, hostTime: number): number {
  return hostTime + store.remembered('clock', () => Number(readFact(store, 'clock') ?? 0))
}

export function queueEvents(store: Store, person: Person, now: number): void {
  store.run(
    'INSERT INTO event_deletions (project, person, uuid, due) VALUES (?, ?, ?, ?)',
    person.project,
    person.id,
    person.uuid,
    nextBatch(now),
  )
}

/** Milliseconds between the answer 202 and the change. */
const delay = 0

export function setLater(store: Store, id: string, changes: Members, now: number): void {
  store.run('INSERT INTO pending (person, due, properties) VALUES (?, ?, ?)', id, now + delay, writeMembers(changes))
}

/** Applies accepted changes of a person now, so that the next change comes after them. */
export function applyAccepted(store: Store, id: string, now: number): void {
  apply(store, store.all<Pending>(`${pending} WHERE person = ? ORDER BY id`, id), now)
}

export function catchUp(store: Store, now: number): number {
  const due = 'SELECT min(due) AS first FROM (SELECT due FROM event_deletions UNION ALL SELECT due FROM pending)'
  const first = store.remembered(
    'due',
    () => store.get<{ first: number | null }>(due)?.first ?? Number.POSITIVE_INFINITY,
  )
  if (first > now) return 0
  return store.write(() => {
    apply(store, store.all<Pending>(`${pending} WHERE due <= ? ORDER BY id`, now), now)
    return removeEvents(store, now)
  })
}

interface Pending {
  readonly id: number
  readonly person: string
  readonly due: number
  readonly properties: string
}

const pending = 'SELECT id, CAST(person AS TEXT) AS person, due, properties FROM pending'

function apply(store: Store, changes: readonly Pending[], now: number): void {
  for (const { id, person, due, properties } of changes) {
    mergeProperties(store, person, readMembers(properties), Math.min(due, now))
    store.run('DELETE FROM pending WHERE id = ?', id)
  }
}

function removeEvents(store: Store, now: number): number {
  let removed = 0
  const queued = store.all<{ id: number; project: string; person: string; uuid: string; due: number }>(
    `SELECT id, CAST(project AS TEXT) AS project, CAST(person AS TEXT) AS person, uuid, due
     FROM event_deletions WHERE due <= ? ORDER BY id`,
    now,
  )
  for (const { id, project, person, uuid, due } of queued) {
    const count = store.run('DELETE FROM events WHERE person = ?', person)
    store.run('DELETE FROM event_deletions WHERE id = ?', id)
    const changes = [{ action: 'deleted', field: 'events', before: String(count), after: '0' }] as const
    log(store, {
      scope: 'Person',
      place: project,
      item: person,
      activity: 'events_deleted',
      name: uuid,
      changes,
      at: due,
    })
    removed += count
  }
  return removed
}
