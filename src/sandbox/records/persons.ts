import { isText } from '../../json/checks.ts'
import { type Call, invalid, notFound, timestamp } from '../call.ts'
import { uuidOf } from '../hash.ts'
import { type Members, readMembers, stringOf, writeMembers } from '../members.ts'
import type { Store } from '../store/store.ts'

/** Distinct ids and properties are JSON texts. */
export interface Person {
  readonly id: string
  readonly project: string
  readonly uuid: string
  readonly created_at: string
  readonly distinct_ids: string
  readonly properties: string
}

export const personColumns =
  'CAST(id AS TEXT) AS id, CAST(project AS TEXT) AS project, uuid, created_at, distinct_ids, properties'

export const newestFirst = 'ORDER BY persons.created_at DESC, persons.id DESC'

export function personOf(call: Call, id = call.path.id ?? ''): Person {
  if (call.dialect === 'observed' && !/^\d+$/.test(id) && !uuidForm.test(id)) {
    throw invalid(null, notPersonId)
  }
  const person = findPerson(call.store, call.scope, id)
  if (!person) throw notFound()
  return person
}

export const uuidForm = /^[\da-f]{8}-?([\da-f]{4}-?){3}[\da-f]{12}$/i

const notPersonId =
  'The ID provided does not look like a personID. If you are using a distinctId, please use /persons?distinct_id={id} instead.'

export function findPerson(store: Store, project: string, id: string): Person | undefined {
  const column = /^\d+$/.test(id) ? 'id' : 'uuid'
  return store.get<Person>(
    `SELECT ${personColumns} FROM persons WHERE project = ? AND ${column} = ?`,
    project,
    id.toLowerCase(),
  )
}

export function findByDistinctId(store: Store, project: string, distinctId: string): Person | undefined {
  return store.get<Person>(
    `SELECT ${personColumns} FROM persons
     WHERE id = (SELECT person FROM distinct_ids WHERE distinct_ids.project = ? AND distinct_id = ?)`,
    project,
    JSON.stringify(distinctId),
  )
}

/** A project setting names the properties that give a person's name. */
function nameProperties(store: Store, project: string): readonly string[] {
  return store.remembered(`name properties of ${project}`, () => {
    const record = store.get<{ record: string }>('SELECT record FROM projects WHERE id = ?', project)?.record ?? '{}'
    const set: unknown = JSON.parse(readMembers(record).get('person_display_name_properties') ?? 'null')
    return Array.isArray(set) && set.length > 0 ? set.map(String) : ['email', 'name', 'username']
  })
}

/** Writes persons as records, or as items of lists and views, which on servers have a form of their own. */
export function personWriter(call: Call, form: 'record' | 'item'): (person: Person) => string {
  const naming = nameProperties(call.store, call.scope)
  const write = form === 'item' && call.dialect === 'observed' ? itemJson : recordJson
  return person => write(person, naming)
}

/** In the form of the document; the properties are the stored text. */
function recordJson(person: Person, naming: readonly string[]): string {
  return (
    `{"id":${person.id},"name":${JSON.stringify(nameOf(person, naming))},"distinct_ids":${person.distinct_ids},` +
    `"properties":${person.properties},"created_at":${JSON.stringify(person.created_at)},"uuid":"${person.uuid}"}`
  )
}

const mostDistinctIds = 1000

function itemJson(person: Person, naming: readonly string[]): string {
  const { uuid, created_at, properties } = person
  const distinctIds = distinctIdsOf(person)
  const shown = distinctIds.length > mostDistinctIds ? JSON.stringify(distinctIds.slice(0, mostDistinctIds)) : undefined
  const isIdentified = distinctIds.some(id => !id.endsWith('-anonymous'))
  return (
    `{"type":"person","id":"${uuid}","uuid":"${uuid}","created_at":${JSON.stringify(created_at)},` +
    `"properties":${properties},"is_identified":${isIdentified},"name":${JSON.stringify(nameOf(person, naming))},` +
    `"distinct_ids":${shown ?? person.distinct_ids},"matched_recordings":[],"value_at_data_point":null}`
  )
}

function nameOf(person: Person, naming: readonly string[]): string {
  const properties = new Map<string, unknown>(Object.entries(JSON.parse(person.properties)))
  const names = naming.map(property => properties.get(property)).filter(isText)
  return names.map(name => name.trim()).find(name => name !== '') ?? distinctIdsOf(person)[0] ?? person.uuid
}

export function distinctIdsOf(person: Person): string[] {
  return JSON.parse(person.distinct_ids)
}

interface NewPerson {
  /** Below 10^15; if absent, the next number. */
  readonly id?: string | undefined
  readonly uuid?: string | undefined
  readonly createdAt: string
  readonly distinctIds: readonly string[]
  readonly properties: string
}

export function addPerson(store: Store, project: string, person: NewPerson): string {
  const added = store.get<{ id: string }>(
    `INSERT INTO persons (id, project, uuid, created_at, email, distinct_ids, properties) VALUES (?, ?, ?, ?, ?, ?, ?)
     RETURNING CAST(id AS TEXT) AS id`,
    person.id ?? null,
    project,
    // A placeholder: the UUID is made from the number, which is not known yet.
    person.uuid ?? '',
    person.createdAt,
    emailOf(person.properties),
    JSON.stringify(person.distinctIds),
    person.properties,
  )
  const id = added?.id ?? ''
  if (person.uuid === undefined) store.run('UPDATE persons SET uuid = ? WHERE id = ?', uuidOf(`person ${id}`), id)
  for (const distinctId of person.distinctIds) giveDistinctId(store, { project, id, distinctId })
  return id
}

/** Takes the distinct id away from another person. */
function giveDistinctId(store: Store, given: { project: string; id: string; distinctId: string }): void {
  const { project, id, distinctId } = given
  const json = JSON.stringify(distinctId)
  const added = store.run('INSERT INTO distinct_ids VALUES (?, ?, ?) ON CONFLICT DO NOTHING', project, json, id)
  if (added > 0) return
  const holder = findByDistinctId(store, project, distinctId)
  if (holder) {
    const left = distinctIdsOf(holder).filter(one => one !== distinctId)
    store.run('UPDATE persons SET distinct_ids = ? WHERE id = ?', JSON.stringify(left), holder.id)
  }
  store.run('UPDATE distinct_ids SET person = ? WHERE project = ? AND distinct_id = ?', id, project, json)
}

/** The former properties are kept for the timeline. */
export function setProperties(store: Store, id: string, properties: string, now: number): void {
  store.run(
    'INSERT INTO earlier (person, until, properties) SELECT id, ?, properties FROM persons WHERE id = ? AND properties <> ?',
    timestamp(now),
    id,
    properties,
  )
  store.run('UPDATE persons SET properties = ?, email = ? WHERE id = ?', properties, emailOf(properties), id)
}

export function mergeProperties(store: Store, id: string, changes: Members, now: number): void {
  const kept = store.get<{ properties: string }>('SELECT properties FROM persons WHERE id = ?', id)
  if (!kept) return
  setProperties(store, id, writeMembers(new Map([...readMembers(kept.properties), ...changes])), now)
}

/** The new distinct ids must belong to this person or be free. */
export function setDistinctIds(store: Store, { id, project }: Person, distinctIds: readonly string[]): void {
  store.run('DELETE FROM distinct_ids WHERE person = ?', id)
  store.run('UPDATE persons SET distinct_ids = ? WHERE id = ?', JSON.stringify(distinctIds), id)
  for (const distinctId of distinctIds) {
    store.run('INSERT INTO distinct_ids VALUES (?, ?, ?)', project, JSON.stringify(distinctId), id)
  }
}

export function removePerson(store: Store, id: string): void {
  for (const table of ['pending', 'earlier', 'distinct_ids']) store.run(`DELETE FROM ${table} WHERE person = ?`, id)
  store.run('DELETE FROM persons WHERE id = ?', id)
}

/** Stored as JSON, since SQLite would end a text at a NUL character. */
function emailOf(properties: string): string | null {
  const email = stringOf(readMembers(properties).get('email'))
  return email === undefined ? null : JSON.stringify(email)
}
