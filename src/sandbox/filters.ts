import { resolveTimes } from '../filters/filter.ts'
import { matcherOf } from '../filters/match.ts'
import { readEntry } from '../filters/person-filter.ts'
import { decodeValid, encode, isText, type Json, memberOf } from '../json/exact.ts'
import { type Call, invalid } from './call.ts'
import { distinctIdName, emailName, type Person } from './store.ts'

const known = ['distinct_id', 'email', 'format', 'limit', 'offset', 'properties', 'search']

/** Servers ignore an unknown filter and return all persons. */
export function selectionOf(call: Call) {
  const other = [...call.query.keys()].find(name => !known.includes(name))
  if (other !== undefined && !call.isObserved) throw invalid(other, 'Unknown parameter.', 'unknown_parameter')
  const [email, distinctId, search, properties] = ['email', 'distinct_id', 'search', 'properties'].map(
    name => call.query.get(name) || undefined,
  )
  const names = [
    ...(email === undefined ? [] : [emailName(email)]),
    ...(distinctId === undefined ? [] : [distinctIdName(distinctId)]),
  ]
  const tests = [
    ...(search === undefined ? [] : [searched(search)]),
    ...(properties === undefined ? [] : entriesIn(properties, call).flatMap(entry => testsOf(entry, call))),
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
  const filter = readEntry(entry, { typed: call.isObserved })
  const fits = filter && matcherOf(resolveTimes(filter, call.now))
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
