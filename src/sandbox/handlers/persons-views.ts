import { answer, byDialect, type Call, type Handler, invalid, parseBody, type Reply, timestamp } from '../call.ts'
import { readMembers, stringOf } from '../members.ts'
import { countedPage, links, windowOf } from '../paging.ts'
import { activityPage } from '../records/activity.ts'
import { newestFirst, type Person, personColumns, personOf, personWriter } from '../records/persons.ts'

/** Servers have a shape for each view. */
export const personsViews = {
  activity: view(call => answer(activityPage(call, 'Person', personOf(call).id))),
  allActivity: view(call => answer(activityPage(call, 'Person'))),
  propertiesTimeline: view(timeline),
  cohorts: view(cohorts),
  funnel: view(cachedGroups),
  funnelPost: view(cachedGroups),
  funnelCorrelation: view(cachedGroups),
  funnelCorrelationPost: view(cachedGroups),
  lifecycle: view(groups),
  path: view(cachedGroups),
  pathPost: view(cachedGroups),
  retention: view(retention),
  stickiness: view(groups),
  trends: view(cachedGroups, pageOfPersons),
  values: view(values),
} satisfies Record<string, Handler>

function view(observed: Handler, documented: Handler = samplePerson): Handler {
  const handle = byDialect(documented, observed)
  return call => {
    parseBody(call)
    return handle(call)
  }
}

/** By the document, a view answers one person. The document has no `person_id`, but another person would seem wrong. */
function samplePerson(call: Call): Reply {
  const id = call.path.id ?? call.query.get('person_id')
  return answer(id ? personWriter(call, 'record')(personOf(call, id)) : (newest(call, 1, 0)[0] ?? '{}'))
}

function pageOfPersons(call: Call): Reply {
  const { people, count, window } = peopleIn(call)
  return countedPage(call, window, count, people)
}

function groups(call: Call): Reply {
  const { group, next, previous } = peopleIn(call)
  return answer(`{"results":[${group}],"next":${next},"previous":${previous},"missing_persons":0}`)
}

/** Servers keep the results of these views, and say since when. */
function cachedGroups(call: Call): Reply {
  const { group, next, initial } = peopleIn(call)
  const kept = `"is_cached":false,"last_refresh":"${timestamp(call.now)}"`
  return answer(`{"results":[${group}],"next":${next},"initial":${initial},"missing_persons":0,${kept}}`)
}

/** The member is called `result`. */
function retention(call: Call): Reply {
  const { people, next, previous } = peopleIn(call)
  const result = people.map(person => `{"person":${person},"appearances":[1,0,1,0,0,0,1]}`).join()
  return answer(`{"result":[${result}],"next":${next},"previous":${previous},"missing_persons":0}`)
}

/** The persons of a page, and as one group. */
function peopleIn(call: Call) {
  const window = windowOf(call)
  const people = newest(call, window.take, window.offset)
  const count = call.store.count('FROM persons WHERE project = ?', call.scope)
  const group = people.length > 0 ? `{"people":[${people.join()}],"count":${people.length}}` : ''
  return { window, people, count, group, ...links(call, window, count, people.length) }
}

function newest(call: Call, limit: number, offset: number): string[] {
  const persons = call.store.all<Person>(
    `SELECT ${personColumns} FROM persons WHERE project = ? ${newestFirst} LIMIT ? OFFSET ?`,
    call.scope,
    limit,
    offset,
  )
  return persons.map(personWriter(call, 'item'))
}

function values(call: Call): Reply {
  const key = call.query.get('key')
  if (!key) return answer('[]')
  const wanted = call.query.get('value')?.toLowerCase() ?? ''
  const counts = new Map<string, number>()
  const rows = call.store.all<{ properties: string }>('SELECT properties FROM persons WHERE project = ?', call.scope)
  for (const { properties } of rows) {
    const value = readMembers(properties).get(key)
    if (value === undefined || !(stringOf(value) ?? value).toLowerCase().includes(wanted)) continue
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const frequent = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return answer(`[${frequent.map(([name, count]) => `{"name":${name},"count":${count}}`).join()}]`)
}

function cohorts(call: Call): Reply {
  const id = call.query.get('person_id')
  if (!id) throw invalid('person_id', 'This field is required.', 'required')
  const { properties } = personOf(call, id)
  const plan = stringOf(readMembers(properties).get('plan'))
  const results = plan === undefined ? [] : [{ id: plan.length, name: `Readers on ${plan}`, deleted: false }]
  return answer(JSON.stringify({ results }))
}

function timeline(call: Call): Reply {
  const person = personOf(call)
  const events = call.store.all<{ timestamp: string }>(
    'SELECT timestamp FROM events WHERE person = ? ORDER BY timestamp',
    person.id,
  )
  const earlier = call.store.all<{ until: string; properties: string }>(
    'SELECT until, properties FROM earlier WHERE person = ? ORDER BY id',
    person.id,
  )
  const points = [...earlier, person].map(({ properties }, i) => ({
    at: earlier[i - 1]?.until ?? person.created_at,
    properties,
  }))
  // Earlier events belong to the first point.
  const before = (index: number) =>
    events.filter(event => index > 0 && event.timestamp < (points[index]?.at ?? '~')).length
  const written = points.map(({ at, properties }, i) => {
    const count = before(i + 1) - before(i)
    return `{"timestamp":${JSON.stringify(at)},"properties":${properties},"relevant_event_count":${count}}`
  })
  const from = JSON.stringify(events[0]?.timestamp ?? person.created_at)
  return answer(
    `{"points":[${written.join()}],"crucial_property_keys":[],"effective_date_from":${from},"effective_date_to":"${timestamp(call.now)}"}`,
  )
}
