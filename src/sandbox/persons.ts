import { isText } from '../json/checks.ts'
import { isObject, type Json, type JsonObject } from '../json/exact.ts'
import { nextBatch } from '../values/instant.ts'
import { logged } from './activity.ts'
import { answer, type Call, empty, type Handler, invalid, type Reply, required, timestamp } from './call.ts'
import { selectionOf } from './filters.ts'
import { links, page, windowOf } from './pages.ts'
import {
  addPerson,
  distinctIdName,
  findPerson,
  personByName,
  personItems,
  personOf,
  personRecords,
  putPerson,
  uuidForm,
} from './person-records.ts'
import type { Person } from './store.ts'

export const personHandlers = {
  list(call) {
    const window = windowOf(call)
    const { offset, take: limit } = window
    const { count, records } = call.store.list('persons', call.place, { ...selectionOf(call), offset, limit })
    const results = records.map(personItems(call))
    return call.isObserved ? answer({ ...links(call, window, count), results }) : page(call, window, count, results)
  },

  get: call => answer(personRecords(call)(personOf(call))),

  update(call) {
    const person = personOf(call)
    const { properties } = known(call, ['properties'])
    if (properties === undefined || properties === null) throw required('properties')
    if (!isObject(properties)) throw invalid('properties', 'A dictionary is required.')
    const changed = keep(call, person, { ...person.properties, ...properties })
    return call.isObserved ? empty(202) : answer(personRecords(call)(changed))
  },

  updateProperty(call) {
    const person = personOf(call)
    const { key, value } = { ...fromQuery(call, ['key', 'value']), ...known(call, ['key', 'value', 'properties']) }
    if (value === undefined) throw required('value')
    if (!isText(key) || key === '') throw required('key')
    const changed = keep(call, person, { ...person.properties, [key]: value })
    return call.isObserved ? empty(202) : answer(personRecords(call)(changed))
  },

  deleteProperty(call) {
    const person = personOf(call)
    const { $unset: key } = { ...fromQuery(call, ['$unset']), ...known(call, ['$unset', 'properties']) }
    if (!isText(key) || key === '') throw required('$unset')
    const { [key]: _, ...left } = person.properties
    return done(call, keep(call, person, left))
  },

  /** Without a main distinct id the first one stays, and the properties are wiped. */
  split(call) {
    const person = personOf(call)
    const { main_distinct_id: main } = known(call, ['main_distinct_id', 'properties'])
    const kept = person.distinct_ids.filter((id, index) => (main === undefined ? index === 0 : id === main))
    if (main !== undefined && kept.length === 0) {
      throw invalid('main_distinct_id', 'This is none of the distinct ids of the person.')
    }
    const changed = { ...person, distinct_ids: kept, properties: main === undefined ? {} : person.properties }
    putPerson(call.store, call.place, changed)
    for (const distinctId of person.distinct_ids.filter(id => !kept.includes(id))) {
      addPerson(call.store, call.place, { created_at: timestamp(call.now), distinct_ids: [distinctId], properties: {} })
    }
    log(call, person, 'split_person')
    return done(call, changed)
  },

  delete(call) {
    remove(call, personOf(call), wantsEvents(call))
    return empty(call.isObserved ? 202 : 204)
  },

  /** Only of newer servers: an id that nobody has is not counted. */
  bulkDelete(call) {
    const { ids, distinct_ids: distinctIds, delete_events: withEvents } = call.body
    if (ids !== undefined && distinctIds !== undefined) throw invalid(null, 'Give either ids or distinct_ids.')
    const names = namesIn(ids ?? distinctIds)
    if (ids !== undefined && !names.every(name => uuidForm.test(name))) throw invalid('ids', 'Must be UUIDs.')
    const { store, place } = call
    const found = names.flatMap(
      name => (ids ? findPerson(store, place, name) : personByName(store, place, distinctIdName(name))) ?? [],
    )
    const persons = [...new Map(found.map(person => [person.id, person])).values()]
    for (const person of persons) remove(call, person, withEvents === true)
    const counts = {
      persons_found: persons.length,
      persons_deleted: persons.length,
      persons_queued_for_deletion: 0,
      events_queued_for_deletion: withEvents === true ? persons.length : 0,
      deletion_errors: [],
    }
    return answer(counts, 202)
  },
} satisfies Record<string, Handler>

function known({ body }: Call, names: readonly string[]): JsonObject<Json> {
  const other = Object.keys(body).find(name => !names.includes(name))
  if (other !== undefined) throw invalid(other, 'Unknown field.', 'unknown_field')
  return body
}

/** The document has these in the query; servers read them from the body only. */
function fromQuery({ query, isObserved }: Call, names: readonly string[]): JsonObject<Json> {
  if (isObserved) return {}
  return Object.fromEntries([...query].filter(([name]) => names.includes(name)))
}

function keep(call: Call, person: Person, properties: JsonObject<Json>): Person {
  const changed = { ...person, properties }
  putPerson(call.store, call.place, changed)
  log(call, person, 'updated')
  return changed
}

function done(call: Call, person: Person): Reply {
  return call.isObserved ? answer({ success: true }, 201) : answer(personRecords(call)(person))
}

/** The sandbox has no events: the log says when they would be deleted. */
function remove(call: Call, person: Person, withEvents: boolean): void {
  call.store.remove('persons', person.id)
  log(call, person, 'deleted', withEvents ? timestamp(nextBatch(call.now)) : undefined)
}

/** Servers check only whether the parameter is there. */
function wantsEvents({ query, isObserved }: Call): boolean {
  const text = query.get('delete_events')
  if (text === undefined) return false
  if (isObserved || /^(true|1)$/i.test(text)) return true
  if (/^(false|0)$/i.test(text)) return false
  throw invalid('delete_events', 'Must be a valid boolean.')
}

const most = 1000

function namesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list) || list.length === 0) throw invalid(null, 'Give ids or distinct_ids.')
  if (list.length > most) throw invalid(null, `You can only pass ${most} ids in one call.`)
  if (!list.every(isText)) throw invalid(null, 'Must be a list of strings.')
  return list
}

function log(call: Call, { id, uuid }: Person, activity: string, eventsDue?: string): void {
  const changes = eventsDue && [{ type: 'Person', action: 'deleted', field: 'events', before: null, after: eventsDue }]
  logged(call.store, call.place, {
    scope: 'Person',
    item: id,
    activity,
    name: uuid,
    changes: changes ?? null,
    at: call.now,
  })
}
