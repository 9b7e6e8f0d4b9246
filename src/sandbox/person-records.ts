import { isText, type Json, type JsonObject } from '../json/exact.ts'
import { isUuid } from '../values/ids.ts'
import { type Call, invalid, notFound } from './call.ts'
import { lookupName, type Person, type Store, uuidOf } from './store.ts'

export function personOf(call: Call, id = call.id): Person {
  const person = findPerson(call.store, call.scopeId, id)
  if (person) return person
  if (!call.isObserved || /^\d+$/.test(id) || isUuid(id)) throw notFound()
  throw invalid(null, 'The ID does not look like a personID. For a distinctId, use /persons?distinct_id={id} instead.')
}

export function findPerson(store: Store, project: string, id: string): Person | undefined {
  return store.get('persons', project, id) ?? store.find('persons', project, lookupName('uuid', id))?.record
}

export function findByDistinctId(store: Store, project: string, distinctId: string): Person | undefined {
  return store.find('persons', project, lookupName('distinct_id', distinctId))?.record
}

type NewPerson = Omit<Person, 'id' | 'uuid'> & { readonly [K in 'id' | 'uuid']?: Person[K] | undefined }

/** Removes its distinct ids from other persons. */
export function addPerson(store: Store, project: string, person: NewPerson): void {
  for (const distinctId of person.distinct_ids) {
    const holder = findByDistinctId(store, project, distinctId)
    if (!holder) continue
    const others = holder.distinct_ids.filter(one => one !== distinctId)
    store.put('persons', project, holder.id, { ...holder, distinct_ids: others })
  }
  const { id = store.nextId('persons'), uuid = uuidOf(`person ${id}`), created_at, distinct_ids, properties } = person
  store.put('persons', project, id, { id, uuid, created_at, distinct_ids, properties })
}

export function personRecord({ id, uuid, created_at, distinct_ids, properties }: Person): JsonObject<Json> {
  const texts = [properties.name, properties.email].filter(isText).map(text => text.trim())
  const name = texts.find(text => text !== '') ?? distinct_ids[0] ?? uuid
  return { id, name, distinct_ids, properties, created_at, uuid }
}

/** An item of lists and views: servers show the UUID as id, and only the first distinct ids. */
export function personItem(person: Person, { isObserved }: Call): JsonObject<Json> {
  const record = personRecord(person)
  return isObserved ? { ...record, id: person.uuid, distinct_ids: person.distinct_ids.slice(0, 1000) } : record
}
