/** Deletes persons, and has the endpoints for persons that only newer servers offer. */
import { isText } from '../json/exact.ts'
import { isUuid } from '../values/ids.ts'
import { type Call, type Handler, invalid, jsonReply, timestamp } from './call.ts'
import { pageOf } from './pages.ts'
import { findByDistinctId, findPerson, personRecord } from './person-records.ts'
import { lookupName, type Person } from './store.ts'
import { logActivity } from './views.ts'

export const newerHandlers = {
  batchByDistinctIds(call) {
    const owners = textList(call, 'distinct_ids')
      .slice(0, mostLookedUp)
      .flatMap(distinctId => {
        const person = findByDistinctId(call.store, call.scopeId, distinctId)
        if (!person) return []
        return [[distinctId, personRecord({ ...person, distinct_ids: person.distinct_ids.slice(0, 10) })] as const]
      })
    return jsonReply({ results: Object.fromEntries(owners) })
  },

  bulkDelete(call) {
    const { ids, distinct_ids, delete_events: withEvents } = call.body
    if (ids && distinct_ids) throw invalid(null, 'Give either ids or distinct_ids.')
    const names = textList(call, ids ? 'ids' : 'distinct_ids')
    if (names.length > mostDeleted) throw invalid(null, `Give up to ${mostDeleted} ids or distinct_ids.`)
    if (ids && !names.every(isUuid)) throw invalid('ids', 'Must be UUIDs.')
    const find = ids ? findPerson : findByDistinctId
    const matches = names.flatMap(name => find(call.store, call.scopeId, name) ?? [])
    const persons = new Map(matches.map(person => [person.id, person]))
    for (const person of persons.values()) removePerson(call, person, withEvents === true)
    const counts = {
      persons_found: persons.size,
      persons_deleted: persons.size,
      persons_queued_for_deletion: 0,
      events_queued_for_deletion: withEvents === true ? persons.size : 0,
      deletion_errors: [],
    }
    return jsonReply(counts, 202)
  },

  /** Events of a deleted person are pending in the first response, and deleted in the next ones. */
  deletionStatus(call) {
    const [uuid, status = 'all'] = [call.query.get('person_uuid'), call.query.get('status')]
    const page = pageOf(call, 'deletions', {
      names: uuid === undefined ? [] : [lookupName('uuid', uuid)],
      test: deletion => deletion.withEvents && (status === 'all' || status === statusOf(deletion.verified_at)),
    })
    for (const deletion of page.results) {
      if (uuid === undefined || deletion.verified_at !== null) continue
      const verified = { ...deletion, verified_at: timestamp(call.now) }
      call.store.put('deletions', call.scopeId, deletion.id, verified)
    }
    const results = page.results.map(deletion => ({
      person_uuid: deletion.uuid,
      created_at: deletion.created_at,
      status: statusOf(deletion.verified_at),
      delete_verified_at: deletion.verified_at,
    }))
    return jsonReply({ ...page, results })
  },
} satisfies Record<string, Handler>

const mostDeleted = 1000
const mostLookedUp = 200

function textList({ body }: Call, name: string): readonly string[] {
  const texts = body[name]
  if (Array.isArray(texts) && texts.length > 0 && texts.every(isText)) return texts
  throw invalid(name, 'A list of texts is required.', 'required')
}

function statusOf(verifiedAt: string | null): 'pending' | 'completed' {
  return verifiedAt === null ? 'pending' : 'completed'
}

/** The sandbox has no events: `withEvents` only shows in `deletion_status`. */
export function removePerson(call: Call, { id, uuid, distinct_ids }: Person, withEvents: boolean): void {
  const { store, scopeId, now } = call
  store.remove('persons', id)
  const number = store.nextId('deletions')
  const deletion = { id: number, uuid, distinct_ids, created_at: timestamp(now), withEvents, verified_at: null }
  store.put('deletions', scopeId, number, deletion)
  logActivity(call, { scope: 'Person', id, activity: 'deleted', name: uuid })
}
