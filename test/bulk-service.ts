/** A service in memory that knows `bulk_delete`: it answers in each form, deletes at once or later, and fails as servers do. */
import type { Dispatcher } from '../src/dispatcher.ts'
import { type Asked, reply as answerOf, dispatcherOf, refusal } from './plain-service.ts'

export const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export type Fate = 'answered' | '500' | '429' | 'lost' | 'dropped' | 'killed' | 'killed after'

export interface Manner {
  /** `counts`: without `ids_not_found`; `empty`: a 202 without a body. */
  readonly form: 'empty' | 'counts' | 'counts and ids'
  /** How many requests a deletion waits before it is done. */
  readonly queue: number
  /** Whom it cannot delete with the first request that names them, and how it names them. */
  readonly failing: readonly string[]
  readonly namedBy: 'person_uuid' | 'person_id'
  /** What becomes of one request after the other; then all are answered. */
  readonly fates: readonly Fate[]
  /** Number of the first request that a gateway answers with 404, and how many follow it. */
  readonly storm: { readonly start: number; readonly length: number }
}

const wellBehaved: Manner = {
  form: 'counts',
  queue: 0,
  failing: [],
  namedBy: 'person_uuid',
  fates: [],
  storm: { start: 0, length: 0 },
}

export interface BulkService {
  readonly dispatcher: Dispatcher
  readonly persons: Map<string, number>
  /** Accepted, and not gone yet. */
  readonly queued: Map<string, number>
  /** Whose events were queued. */
  readonly events: Set<string>
  /** The ids of each `bulk_delete`. */
  readonly batches: (readonly string[])[]
  /** `METHOD path` of every request. */
  readonly asked: string[]
  /** Called when the process is killed: it hears no answer any more, and what it sends does not arrive. */
  onKill: () => void
  revive(): void
}

type Reply = readonly [status: number, body?: unknown] | 'lost'

export function bulkService(ids: readonly string[], manner: Partial<Manner> = {}): BulkService {
  const { form, queue, failing, namedBy, fates, storm } = { ...wellBehaved, ...manner }
  const left = [...fates]
  // An empty answer cannot name anybody.
  const stubborn = new Set(form === 'empty' ? [] : failing)
  let isDead = false

  const service: BulkService = {
    persons: new Map(ids.map((id, i) => [id, i + 1000])),
    queued: new Map(),
    events: new Set(),
    batches: [],
    asked: [],
    onKill: () => undefined,
    revive: () => {
      isDead = false
    },
    dispatcher: dispatcherOf(request => {
      const answer = suffer(request)
      return answer === 'lost' ? answer : answerOf(...answer)
    }),
  }
  const { persons, queued, events, batches, asked } = service

  function suffer(request: Asked): Reply {
    if (isDead) return 'lost'
    asked.push(`${request.method} ${request.url.pathname}`)
    for (const [id, wait] of queued) {
      if (wait > 0) queued.set(id, wait - 1)
      else {
        persons.delete(id)
        queued.delete(id)
      }
    }
    const since = asked.length - 1 - storm.start
    if (since >= 0 && since < storm.length) return [404, { detail: 'Not Found' }]
    const fate = left.shift() ?? 'answered'
    if (fate === '500') return [500, { type: 'server_error', detail: 'A server error occurred.' }]
    if (fate === '429') return [429, { detail: 'Request was throttled.' }]
    if (fate === 'dropped') return 'lost'
    if (fate === 'killed') return die()
    const answer = perform(request)
    if (fate === 'killed after') return die()
    return fate === 'lost' ? 'lost' : answer
  }

  function die(): Reply {
    isDead = true
    service.onKill()
    return 'lost'
  }

  function perform({ method, url, body }: Asked): Reply {
    const [, id] = /\/persons\/([^/?]+)\//.exec(url.pathname) ?? []
    if (id === undefined) return [200, { next: null, results: [] }]
    if (id === 'bulk_delete' && method === 'POST') return deleteMany(JSON.parse(body))
    const [uuid, number] = [...persons].find(one => one.map(String).includes(id)) ?? []
    if (uuid === undefined) return [404, JSON.parse(refusal(404).body ?? '')]
    if (method === 'DELETE') {
      persons.delete(uuid)
      queued.delete(uuid)
      if (url.searchParams.has('delete_events')) events.add(uuid)
      return [204]
    }
    return [200, { id: number, uuid, name: 'Ada', distinct_ids: [], properties: {}, created_at: null }]
  }

  function deleteMany(asked: { readonly ids: readonly string[]; readonly delete_events?: boolean }): Reply {
    batches.push(asked.ids)
    const found = asked.ids.filter(id => persons.has(id))
    const failed = found.filter(id => stubborn.delete(id))
    const accepted = found.filter(id => !failed.includes(id))
    for (const id of accepted) {
      if (asked.delete_events) events.add(id)
      if (queue === 0) persons.delete(id)
      else if (!queued.has(id)) queued.set(id, queue)
    }
    if (form === 'empty') return [202]
    const named = (id: string) => (namedBy === 'person_id' ? persons.get(id) : id)
    const counts = {
      persons_found: found.length,
      persons_deleted: queue === 0 ? accepted.length : 0,
      persons_queued_for_deletion: queue === 0 ? 0 : accepted.length,
      events_queued_for_deletion: asked.delete_events === true,
      deletion_errors: failed.map(id => ({ [namedBy]: named(id), step: 'delete_person' })),
    }
    const missing = asked.ids.filter(id => !found.includes(id))
    return [202, form === 'counts' ? counts : { ...counts, ids_not_found: missing }]
  }

  return service
}
