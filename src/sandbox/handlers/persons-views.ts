import { activityPage } from '../activity.ts'
import { type Answer, answer, bodyOf, byDialect, type Call, type Handler, invalid, timestamp } from '../call.ts'
import { pointsOf } from '../history.ts'
import { readMembers, stringOf } from '../members.ts'
import { links, page, windowOf } from '../paging.ts'
import {
  listedPersonJson,
  nameProperties,
  newestFirst,
  type Person,
  personColumns,
  personJson,
  personOf,
} from '../persons.ts'

/**
 * The views of persons. The service's document shows a person as the answer of each but `trends`, of which it shows
 * nothing; in the wild each has a shape of its own.
 */
export const personsViews = {
  activity: byDialect(one, call => answer(activityPage(call, 'Person', personOf(call).id))),
  allActivity: byDialect(newest, call => answer(activityPage(call, 'Person'))),
  propertiesTimeline: byDialect(one, timeline),
  cohorts: byDialect(newest, cohorts),
  funnel: byDialect(newest, groups),
  funnelPost: asked(byDialect(newest, groups)),
  funnelCorrelation: byDialect(newest, groups),
  funnelCorrelationPost: asked(byDialect(newest, groups)),
  lifecycle: byDialect(newest, groups),
  path: byDialect(newest, groups),
  pathPost: asked(byDialect(newest, groups)),
  retention: byDialect(newest, retention),
  stickiness: byDialect(newest, groups),
  trends: byDialect(everyone, groups),
  values: byDialect(newest, values),
} satisfies Record<string, Handler>

/** A view whose question comes as a body: any object will do, nothing else. */
function asked(view: Handler): Handler {
  return call => {
    bodyOf(call)
    return view(call)
  }
}

function one(call: Call): Answer {
  return answer(personJson(personOf(call), nameProperties(call.store, call.scope)))
}

function newest(call: Call): Answer {
  return answer(peopleOf(call, 1, 0).people[0] ?? '{}')
}

function everyone(call: Call): Answer {
  const window = windowOf(call)
  const { people, count } = peopleOf(call, window.take, window.offset)
  return page(call, window, count, people)
}

/** Persons of the project as JSON, the newest first, and how many there are in all. */
function peopleOf(call: Call, limit: number, offset: number): { people: string[]; count: number } {
  const { store, scope } = call
  const naming = nameProperties(store, scope)
  const persons = store.all<Person>(
    `SELECT ${personColumns} FROM persons WHERE project = ? ${newestFirst} LIMIT ? OFFSET ?`,
    scope,
    limit,
    offset,
  )
  return {
    people: persons.map(person => (call.dialect === 'observed' ? listedPersonJson : personJson)(person, naming)),
    count: store.get<{ n: number }>('SELECT count(*) AS n FROM persons WHERE project = ?', scope)?.n ?? 0,
  }
}

/** `{results:[{people,count}],next,previous}`: a page of the people behind one bar of a chart. */
function groups(call: Call): Answer {
  const window = windowOf(call)
  const { people, count } = peopleOf(call, window.take, window.offset)
  const { next, previous } = links(call, window, count, people.length)
  const results = people.length > 0 ? `{"people":[${people.join()}],"count":${people.length}}` : ''
  return answer(`{"results":[${results}],"next":${next},"previous":${previous},"missing_persons":0}`)
}

/** `{result:[{person,appearances}],next,previous}`, in the singular. */
function retention(call: Call): Answer {
  const window = windowOf(call)
  const { people, count } = peopleOf(call, window.take, window.offset)
  const { next, previous } = links(call, window, count, people.length)
  const result = people.map(person => `{"person":${person},"appearances":[1,0,1,0,0,0,1]}`).join()
  return answer(`{"result":[${result}],"next":${next},"previous":${previous},"missing_persons":0}`)
}

/** How often each value of the property `key` occurs; a bare list of `{name,count}`, the most frequent first. */
function values(call: Call): Answer {
  const key = call.url.searchParams.get('key')
  if (!key) return answer('[]')
  const wanted = call.url.searchParams.get('value')?.toLowerCase() ?? ''
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

function cohorts(call: Call): Answer {
  const id = call.url.searchParams.get('person_id')
  if (!id) throw invalid('person_id', 'This field is required.', 'required')
  const { properties } = personOf({ ...call, path: { ...call.path, id } })
  const plan = stringOf(readMembers(properties).get('plan'))
  const results = plan === undefined ? [] : [{ id: plan.length, name: `Readers on ${plan}`, deleted: false }]
  return answer(JSON.stringify({ results }))
}

function timeline(call: Call): Answer {
  const person = personOf(call)
  const events = call.store.all<{ timestamp: string }>(
    'SELECT timestamp FROM events WHERE person = ? ORDER BY timestamp',
    person.id,
  )
  const points = pointsOf(call.store, person)
  // Events from before the first point count for it.
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
