import { writeMembers } from '../../json/write-members.ts'
import {
  type AnswerError,
  answer,
  type Call,
  empty,
  type Handler,
  invalid,
  parseBody,
  type Reply,
  type RequestBody,
  timestamp,
} from '../call.ts'
import { type Members, readMembers, stringOf } from '../members.ts'
import { forgetChanges, type LoggedChange, log } from '../records/activity.ts'
import { queueEvents, setLater, settle } from '../records/batch.ts'
import {
  addPerson,
  distinctIdsOf,
  mergeProperties,
  nameProperties,
  type Person,
  personJson,
  personOf,
  removePerson,
  setDistinctIds,
  setProperties,
} from '../records/persons.ts'

/** By the document, a write returns the changed person; servers apply it later and answer 202 or `{"success":true}`. */
export const personsWriting = {
  update(call) {
    const person = personOf(call)
    const body = known(call, ['properties'])
    const properties = propertiesOf(body)
    if (!properties) throw missing(call, 'properties')
    return set(call, person, properties)
  },

  updateProperty(call) {
    const person = personOf(call)
    const { key, value } = setting(call, known(call, ['key', 'value', 'properties']))
    return set(call, person, new Map([[key, value]]))
  },

  deleteProperty(call) {
    const person = personOf(call)
    const body = known(call, ['$unset', 'properties'])
    const key = stringOf(body.members.get('$unset')) ?? parameter(call, '$unset')
    if (!key) throw invalid('$unset', 'This field is required.', 'required')
    settle(call.store, person.id)
    const properties = readMembers(personOf(call).properties)
    const before = only(properties, [key])
    if (properties.delete(key)) setProperties(call.store, person.id, writeMembers(properties))
    note(call, person, 'updated', [{ action: 'deleted', field: 'properties', before: writeMembers(before) }])
    return done(call, person)
  },

  split(call) {
    const person = personOf(call)
    const body = known(call, ['main_distinct_id', 'properties'])
    const main = mainOf(call, body, person)
    const ids = distinctIdsOf(person)
    const kept = main ?? ids[0]
    settle(call.store, person.id)
    const { properties } = personOf(call)
    // Without a main distinct id, servers delete the properties.
    if (main === undefined) setProperties(call.store, person.id, '{}')
    setDistinctIds(call.store, person, kept === undefined ? [] : [kept])
    for (const distinctId of ids.filter(id => id !== kept)) {
      const createdAt = timestamp(call.now)
      addPerson(call.store, person.project, { createdAt, distinctIds: [distinctId], properties: '{}' })
    }
    const after = JSON.stringify(kept === undefined ? [] : [kept])
    const split = { action: 'split', field: 'distinct_ids', before: person.distinct_ids, after } as const
    const wiped = { action: 'deleted', field: 'properties', before: properties } as const
    note(call, person, 'split_person', main === undefined ? [split, wiped] : [split])
    return done(call, person)
  },

  delete(call) {
    const person = personOf(call)
    if (call.stillThere) return empty(202)
    deletePerson(call, person, wantsEvents(call))
    return empty(call.dialect === 'documented' ? 204 : 202)
  },
} satisfies Record<string, Handler>

export function deletePerson(call: Call, person: Person, withEvents: boolean): void {
  if (withEvents) queueEvents(call.store, person, call.now)
  removePerson(call.store, person.id)
  forgetChanges(call.store, person.project, person.id)
  note(call, person, 'deleted', [])
}

/** The document refuses unknown members, servers ignore them. */
function known(call: Call, names: readonly string[]): RequestBody {
  const body = parseBody(call)
  const unknownName = [...body.members.keys()].find(name => !names.includes(name))
  if (call.dialect === 'documented' && unknownName !== undefined) {
    throw invalid(unknownName, 'Unknown field.', 'unknown_field')
  }
  return body
}

function propertiesOf({ members }: RequestBody): Members | undefined {
  const json = members.get('properties')
  if (json === undefined || json === 'null') return undefined
  if (!json.startsWith('{')) throw invalid('properties', 'A dictionary is required.')
  return readMembers(json)
}

/** The document has key and value in the query; servers read them from the body, where the value keeps its type. */
function setting(call: Call, { members }: RequestBody): { key: string; value: string } {
  const key = stringOf(members.get('key')) ?? parameter(call, 'key')
  if (!key) throw missing(call, 'key')
  const text = parameter(call, 'value')
  const value = members.get('value') ?? (text === undefined ? undefined : JSON.stringify(text))
  if (value === undefined) throw missing(call, 'value')
  // Newer servers accept null.
  if (value === 'null' && call.dialect === 'documented') throw invalid('value', 'This field may not be null.', 'null')
  return { key, value }
}

/** Servers swap code and detail here. */
function missing({ dialect }: Call, field: string): AnswerError {
  const [code, detail] = ['required', 'This field is required.'] as const
  return dialect === 'observed' ? invalid(field, code, detail) : invalid(field, detail, code)
}

/** Only the document reads these from the query. */
function parameter(call: Call, name: string): string | undefined {
  return call.dialect === 'documented' ? call.query.get(name) : undefined
}

function set(call: Call, person: Person, changes: Members): Reply {
  const observed = call.dialect === 'observed'
  if (observed) setLater(call.store, person.id, changes, call.now)
  else mergeProperties(call.store, person.id, changes)
  const before = only(readMembers(person.properties), changes.keys())
  const texts = { before: writeMembers(before), after: writeMembers(changes) }
  note(call, person, 'updated', [{ action: 'changed', field: 'properties', ...texts }])
  return observed ? empty(202) : done(call, person)
}

function done(call: Call, person: Person): Reply {
  if (call.dialect === 'observed') return answer('{"success":true}', 201)
  return answer(personJson(personOf(call), nameProperties(call.store, person.project)))
}

function mainOf({ dialect }: Call, { members, values }: RequestBody, person: Person): string | undefined {
  if (!members.has('main_distinct_id')) return undefined
  const main = values.main_distinct_id
  // Servers treat an empty one as missing.
  if (dialect === 'observed' && (main === null || main === '')) return undefined
  // Another person's distinct id would take all ids from this person.
  if (typeof main !== 'string' || !distinctIdsOf(person).includes(main)) {
    throw invalid('main_distinct_id', 'This is none of the distinct ids of the person.')
  }
  return main
}

/** Servers check only whether the parameter is present. */
function wantsEvents(call: Call): boolean {
  const text = call.query.get('delete_events')
  if (text === undefined) return false
  if (call.dialect === 'observed' || /^(true|1)$/i.test(text)) return true
  if (/^(false|0)$/i.test(text)) return false
  throw invalid('delete_events', 'Must be a valid boolean.')
}

function only(members: Members, names: Iterable<string>): Members {
  const found = [...names].flatMap(name => [[name, members.get(name)] as const])
  return new Map(found.filter((member): member is [string, string] => member[1] !== undefined))
}

function note(call: Call, { id, uuid, project }: Person, activity: string, changes: readonly LoggedChange[]): void {
  log(call.store, { scope: 'Person', place: project, item: id, activity, name: uuid, changes, at: call.now })
}
