/** Views of persons and the activity log, in the shapes that real servers send. */
import { encode, isText, type Json, memberOf } from '../json/exact.ts'
import { type Call, type Handler, invalid, jsonReply, type Reply, timestamp } from './call.ts'
import { activityPage, pageOf } from './pages.ts'
import { personItem, personOf } from './person-records.ts'
import type { Person } from './store.ts'

export const viewHandlers = {
  activity: call => activityPage({ ...call, id: String(personOf(call).id) }),
  allActivity: activityPage,
  propertiesTimeline,
  cohorts,
  funnel: groups,
  funnelPost: groups,
  funnelCorrelation: groups,
  funnelCorrelationPost: groups,
  lifecycle: groups,
  path: groups,
  pathPost: groups,
  retention,
  stickiness: groups,
  trends: groups,
  values,
} satisfies Record<string, Handler>

/** The sandbox keeps no history, so there is one point. */
function propertiesTimeline(call: Call): Reply {
  const { created_at: from, properties } = personOf(call)
  const points = [{ timestamp: from, properties, relevant_event_count: 1 }]
  const period = { effective_date_from: from, effective_date_to: timestamp(call.now) }
  return jsonReply({ points, crucial_property_keys: [], ...period })
}

const cohortsByName: Readonly<Record<string, (person: Person) => boolean>> = {
  'Pro readers': ({ properties }) => properties.plan === 'pro',
  'Newsletter readers': ({ properties }) => properties.newsletter === true,
}

function cohorts(call: Call): Reply {
  const id = call.query.get('person_id')
  if (id === undefined) throw invalid('person_id', 'This field is required.', 'required')
  const person = personOf(call, id)
  const results = Object.entries(cohortsByName).flatMap(([name, fits], index) => {
    if (!fits(person)) return []
    return { id: index + 1, name, count: call.store.list('persons', call.scopeId, { test: fits, limit: 0 }).count }
  })
  return jsonReply({ results })
}

function values(call: Call): Reply {
  const key = call.query.get('key')
  if (key === undefined) return jsonReply([])
  const counts = new Map<string, number>()
  const countValue = ({ properties }: Person) => {
    const value = memberOf(properties, key) ?? null
    const name = isText(value) ? value : encode(value)
    if (value !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
    return false
  }
  call.store.list('persons', call.scopeId, { test: countValue })
  return jsonReply([...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count))
}

function groups(call: Call): Reply {
  const { next, previous, results: persons } = pageOf(call, 'persons')
  const people = persons.map(person => personItem(person, call))
  const results = people.length > 0 ? [{ people, count: people.length }] : []
  return jsonReply({ results, next, previous, missing_persons: 0 })
}

function retention(call: Call): Reply {
  const { next, previous, results } = pageOf(call, 'persons')
  const appearances = [1, 0, 1, 0, 0, 0, 1]
  const result = results.map(person => ({ person: personItem(person, call), appearances }))
  return jsonReply({ result, next, previous, missing_persons: 0 })
}

interface Activity {
  readonly scope: 'Person' | 'Plugin'
  readonly id: number
  readonly activity: string
  readonly name: Json
}

export function logActivity({ store, scopeId, now }: Pick<Call, 'store' | 'scopeId' | 'now'>, done: Activity): void {
  const { scope, id, activity, name } = done
  const user = { first_name: 'Nora', email: 'nora@example.com' }
  const detail = { name, type: null, changes: null }
  const entry = { user, activity, scope, item_id: String(id), detail, created_at: timestamp(now) }
  store.put('activity', scopeId, store.nextId('activity'), entry)
}
