/** The views of persons, and the log of activities. By the document each answers one person; servers have three shapes. */
import type { Json } from '../json/exact.ts'
import { answer, type Call, type Handler, type Reply, timestamp } from './call.ts'
import { addressed, links, page, windowOf } from './pages.ts'
import { personItems, personOf, personRecords } from './person-records.ts'
import type { Store } from './store.ts'

export const viewHandlers = {
  activity: view(call => activityPage({ ...call, id: String(personOf(call).id) })),
  allActivity: view(activityPage),
  propertiesTimeline: onePerson,
  cohorts: onePerson,
  funnel: view(groups),
  funnelPost: view(groups),
  funnelCorrelation: view(groups),
  funnelCorrelationPost: view(groups),
  lifecycle: view(groups),
  path: view(groups),
  pathPost: view(groups),
  retention: view(retention),
  stickiness: view(groups),
  trends: view(groups, pageOfPersons),
  values: onePerson,
} satisfies Record<string, Handler>

function view(observed: Handler, documented: Handler = onePerson): Handler {
  return call => (call.isObserved ? observed : documented)(call)
}

/** The person that is named, or the newest. */
function onePerson(call: Call): Reply {
  const id = call.id || call.query.get('person_id')
  if (id) return answer(personRecords(call)(personOf(call, id)))
  const [newest] = call.store.list('persons', call.place, { limit: 1 }).records
  return answer(newest ? personRecords(call)(newest) : {})
}

function pageOfPersons(call: Call): Reply {
  const { window, people, count } = peopleOf(call)
  return page(call, window, count, people)
}

function groups(call: Call): Reply {
  const { window, people, count } = peopleOf(call)
  const results = people.length > 0 ? [{ people, count: people.length }] : []
  return answer({ results, ...links(call, window, count), missing_persons: 0 })
}

function retention(call: Call): Reply {
  const { window, people, count } = peopleOf(call)
  const result = people.map(person => ({ person, appearances: [1, 0, 1, 0, 0, 0, 1] }))
  return answer({ result, ...links(call, window, count), missing_persons: 0 })
}

function peopleOf(call: Call) {
  const window = windowOf(call)
  const { offset, take: limit } = window
  const { count, records } = call.store.list('persons', call.place, { offset, limit })
  return { window, count, people: records.map(personItems(call)) }
}

/** Of the person that is named, or of all in the project; plugins have a log of their own. */
export function activityPage(call: Call): Reply {
  const { limit } = windowOf(call)
  const number = Number(/^[1-9]\d{0,8}$/.exec(call.query.get('page') ?? '') ?? 1)
  const conditions = call.id === '' ? [] : [{ name: call.id }]
  const offset = (number - 1) * limit
  const { count, records } = call.store.list('activity', call.place, { conditions, offset, limit })
  const to = (page: number) => addressed(call, { limit, page }, page)
  const next = number * limit < count ? to(number + 1) : null
  return answer({ results: records, next, previous: number > 1 ? to(number - 1) : null, total_count: count })
}

interface Done {
  readonly scope: 'Person' | 'Plugin'
  readonly item: number
  readonly activity: string
  readonly name: Json
  readonly changes?: Json
  readonly at: number
}

export function logged(store: Store, place: string, { scope, item, activity, name, changes = null, at }: Done): void {
  const item_id = String(item)
  const user = { first_name: 'Nora', email: 'nora@example.com' }
  const value = { user, activity, scope, item_id, detail: { name, type: null, changes }, created_at: timestamp(at) }
  store.put('activity', place, { id: store.nextId('activity'), value, names: [item_id] })
}
