import { matcherOf } from '../filters/filter.ts'
import { readFilterEntry } from '../filters/person-filter.ts'
import { decodeValid, encode, isObject, isText, type Json, memberOf } from '../json/exact.ts'
import { type Call, emptyReply, type Handler, invalid, jsonReply, type Reply, timestamp } from './call.ts'
import { removePerson } from './deletions.ts'
import { pageOf } from './pages.ts'
import { addPerson, personItem, personOf, personRecord } from './person-records.ts'
import { lookupName, type Person } from './store.ts'
import { logActivity } from './views.ts'

export const personHandlers = {
  list(call) {
    const { count, ...page } = pageOf(call, 'persons', selectionOf(call))
    const shown = { ...page, results: page.results.map(person => personItem(person, call)) }
    return jsonReply(call.isObserved ? shown : { count, ...shown })
  },

  get: call => jsonReply(personRecord(personOf(call))),

  update(call) {
    const person = personOf(call)
    const { properties } = bodyMembers(call, ['properties'])
    if (!isObject(properties)) throw invalid('properties', 'A dictionary is required.', 'required')
    const changed = { ...person, properties: { ...person.properties, ...properties } }
    return save(call, changed, 'updated', emptyReply(202))
  },

  updateProperty(call) {
    const person = personOf(call)
    const { key, value } = bodyMembers(call, ['key', 'value', 'properties'], ['key', 'value'])
    if (value === undefined) throw invalid('value', 'This field is required.', 'required')
    if (!isText(key) || key === '') throw invalid('key', 'This field is required.', 'required')
    const changed = { ...person, properties: { ...person.properties, [key]: value } }
    return save(call, changed, 'updated', emptyReply(202))
  },

  deleteProperty(call) {
    const person = personOf(call)
    const { $unset: key } = bodyMembers(call, ['$unset', 'properties'], ['$unset'])
    if (!isText(key) || key === '') throw invalid('$unset', 'This field is required.', 'required')
    const { [key]: _, ...properties } = person.properties
    return save(call, { ...person, properties }, 'updated', success)
  },

  /** Without a main distinct id, keeps the first one and deletes the properties. */
  split(call) {
    const person = personOf(call)
    const { main_distinct_id: main } = bodyMembers(call, ['main_distinct_id', 'properties'])
    const kept = person.distinct_ids.filter((id, index) => (main === undefined ? index === 0 : id === main))
    if (main !== undefined && kept.length === 0) {
      throw invalid('main_distinct_id', 'This is none of the distinct ids of the person.')
    }
    for (const distinctId of person.distinct_ids.filter(id => !kept.includes(id))) {
      addPerson(call.store, call.scopeId, {
        created_at: timestamp(call.now),
        distinct_ids: [distinctId],
        properties: {},
      })
    }
    const changed = { ...person, distinct_ids: kept, properties: main === undefined ? {} : person.properties }
    return save(call, changed, 'split_person', success)
  },

  delete(call) {
    removePerson(call, personOf(call), deletesEvents(call))
    return emptyReply(call.isObserved ? 202 : 204)
  },
} satisfies Record<string, Handler>

/** Members of the body. The document has some in the query; servers read them only from the body. */
function bodyMembers({ body, query, isObserved }: Call, names: readonly string[], inQuery: readonly string[] = []) {
  const other = Object.keys(body).find(name => !names.includes(name))
  if (other !== undefined) throw invalid(other, 'Unknown field.', 'unknown_field')
  const parameters = isObserved ? [] : [...query].filter(([name]) => inQuery.includes(name))
  return { ...Object.fromEntries<Json>(parameters), ...body }
}

const success = jsonReply({ success: true }, 201)

function save(call: Call, person: Person, activity: string, observed: Reply): Reply {
  const { id, uuid } = person
  call.store.put('persons', call.scopeId, id, person)
  logActivity(call, { scope: 'Person', id, activity, name: uuid })
  return call.isObserved ? observed : jsonReply(personRecord(person))
}

/** Servers check only whether the parameter is present. */
function deletesEvents({ query, isObserved }: Call): boolean {
  const text = query.get('delete_events')
  if (text === undefined) return false
  if (isObserved || /^(true|1)$/i.test(text)) return true
  if (/^(false|0)$/i.test(text)) return false
  throw invalid('delete_events', 'Must be a valid boolean.')
}

const knownParameters = ['distinct_id', 'email', 'format', 'limit', 'offset', 'properties', 'search']

/** Servers ignore an unknown filter and return all persons. */
function selectionOf(call: Call) {
  const other = [...call.query.keys()].find(name => !knownParameters.includes(name))
  if (other !== undefined && !call.isObserved) throw invalid(other, 'Unknown parameter.', 'unknown_parameter')
  const [search, properties] = [call.query.get('search'), call.query.get('properties')]
  const names = (['email', 'distinct_id'] as const).flatMap(kind => {
    const value = call.query.get(kind)
    return value ? [lookupName(kind, value)] : []
  })
  const tests = [
    ...(search ? [searched(search)] : []),
    ...(properties ? entriesIn(properties, call).flatMap(entry => testsOf(entry, call)) : []),
  ]
  return { names, test: tests.length > 0 ? (person: Person) => tests.every(test => test(person)) : undefined }
}

type Test = (person: Person) => boolean

function searched(text: string): Test {
  const part = text.toLowerCase()
  return ({ distinct_ids: ids, properties: { email } }) =>
    ids.includes(text) || (isText(email) && email.toLowerCase().includes(part))
}

function testsOf(entry: Json, call: Call): Test[] {
  const filter = readFilterEntry(entry, { requireType: call.isObserved })
  const fits = filter && matcherOf(filter, call.now)
  if (fits) return [({ properties }) => fits(memberOf(properties, filter.key))]
  if (call.isObserved) return []
  throw invalid('properties', `This is not a filter by person properties: ${encode(entry)}`)
}

function entriesIn(text: string, { isObserved }: Call): readonly Json[] {
  const value = decodeValid(text)
  if (Array.isArray(value)) return value
  if (isObserved && value !== undefined) return []
  throw invalid('properties', 'A JSON list of filters is required.')
}
