import {
  AnswerError,
  answer,
  type Call,
  empty,
  type Handler,
  invalid,
  parseBody,
  type Reply,
  type RequestBody,
  serverError,
  timestamp,
} from '../call.ts'
import { type Members, readMembers, stringOf, writeMembers } from '../members.ts'
import { forgetChanges, type LoggedChange, log } from '../records/activity.ts'
import { applyAccepted, queueEvents, setLater } from '../records/batch.ts'
import {
  addPerson,
  distinctIdsOf,
  mergeProperties,
  type Person,
  personOf,
  personWriter,
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
    if (!key) throw noKey(call)
    applyAccepted(call.store, person.id, call.now)
    const properties = readMembers(personOf(call).properties)
    const before = only(properties, [key])
    if (properties.delete(key)) setProperties(call.store, person.id, writeMembers(properties), call.now)
    note(call, person, 'updated', [
      { action: 'deleted', field: 'properties', before: writeMembers(before), after: 'null' },
    ])
    return done(call)
  },

  split(call) {
    const person = personOf(call)
    const ids = distinctIdsOf(person)
    const { kept, wipes } = call.dialect === 'documented' ? splitUntil2026(call, ids) : splitSince2026(call, ids)
    applyAccepted(call.store, person.id, call.now)
    const { properties } = personOf(call)
    if (wipes) setProperties(call.store, person.id, '{}', call.now)
    setDistinctIds(call.store, person, kept)
    for (const distinctId of ids.filter(id => !kept.includes(id))) {
      const createdAt = timestamp(call.now)
      addPerson(call.store, person.project, { createdAt, distinctIds: [distinctId], properties: '{}' })
    }
    const after = JSON.stringify(kept)
    const split = { action: 'split', field: 'distinct_ids', before: person.distinct_ids, after } as const
    const wiped = { action: 'deleted', field: 'properties', before: properties, after: 'null' } as const
    note(call, person, 'split_person', wipes ? [split, wiped] : [split])
    return done(call)
  },

  delete(call) {
    const person = personOf(call)
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
  const text = parameter(call, 'value')
  const value = members.get('value') ?? (text === undefined ? undefined : JSON.stringify(text))
  // Newer servers take null, older ones treat it as missing.
  if (value === undefined || (value === 'null' && call.dialect === 'observed')) throw missing(call, 'value')
  if (value === 'null') throw invalid('value', 'This field may not be null.', 'null')
  const key = stringOf(members.get('key')) ?? parameter(call, 'key')
  if (!key) throw missing(call, 'key')
  return { key, value }
}

/** Servers look for the member without a check. */
function noKey({ dialect }: Call): AnswerError {
  return dialect === 'observed'
    ? new AnswerError(serverError)
    : invalid('$unset', 'This field is required.', 'required')
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
  else mergeProperties(call.store, person.id, changes, call.now)
  const before = only(readMembers(person.properties), changes.keys())
  const texts = { before: writeMembers(before), after: writeMembers(changes) }
  note(call, person, 'updated', [{ action: 'changed', field: 'properties', ...texts }])
  return observed ? empty(202) : done(call)
}

function done(call: Call): Reply {
  if (call.dialect === 'observed') return answer('{"success":true}', 201)
  return answer(personWriter(call, 'record')(personOf(call)))
}

interface SplitPlan {
  /** Distinct ids that stay with the person. */
  readonly kept: readonly string[]
  readonly wipes: boolean
}

/** Servers before June 2026 delete the properties where nobody is named to keep them. */
function splitUntil2026(call: Call, ids: readonly string[]): SplitPlan {
  const { members, values } = known(call, ['main_distinct_id', 'properties'])
  if (!members.has('main_distinct_id')) return { kept: ids.slice(0, 1), wipes: true }
  const main = values.main_distinct_id
  const kept = ids.filter(id => id === main)
  if (kept.length === 0) throw invalid('main_distinct_id', 'This is none of the distinct ids of the person.')
  return { kept, wipes: false }
}

/** Newer servers keep the properties, and do not check the main distinct id: with a foreign one, nobody keeps an id. */
function splitSince2026(call: Call, ids: readonly string[]): SplitPlan {
  const { values } = parseBody(call)
  const { main_distinct_id: main = null, distinct_ids_to_split: asked = null } = values
  if (asked === null) return { kept: main ? ids.filter(id => id === main) : ids.slice(0, 1), wipes: false }
  const refuse = (detail: string) => invalid('distinct_ids_to_split', detail)
  if (!Array.isArray(asked) || !asked.every(one => typeof one === 'string')) throw refuse('must be a list of strings')
  if (asked.length === 0) throw refuse('must not be empty')
  if (main !== null) throw invalid(null, 'main_distinct_id cannot be combined with distinct_ids_to_split')
  const unknown = asked.filter(id => !ids.includes(id))
  if (unknown.length > 0) throw refuse(`not on this person: ${JSON.stringify(unknown.sort())}`)
  return { kept: ids.filter(id => !asked.includes(id)), wipes: false }
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
