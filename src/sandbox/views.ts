/** The views of persons. By the document each answers one person; servers have three shapes. */
import { activityPage } from './activity.ts'
import { answer, type Call, type Handler, type Reply } from './call.ts'
import { links, page, windowOf } from './pages.ts'
import { personItems, personOf, personRecords } from './person-records.ts'

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

/** The document shows nothing of it. */
function pageOfPersons(call: Call): Reply {
  const { window, people, count } = peopleOf(call)
  return page(call, window, count, people)
}

function groups(call: Call): Reply {
  const { window, people, count } = peopleOf(call)
  const results = people.length > 0 ? [{ people, count: people.length }] : []
  return answer({ results, ...links(call, window, count), missing_persons: 0 })
}

/** Its member is called `result`. */
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
