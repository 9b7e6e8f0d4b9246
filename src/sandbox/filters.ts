import { resolveTimes } from '../filters/filter.ts'
import { matcherOf } from '../filters/match.ts'
import { readEntry } from '../filters/person-filter.ts'
import { decode, encode, type Json, memberOf } from '../json/exact.ts'
import { Malformed } from '../json/tokens.ts'
import { type Call, invalid } from './call.ts'
import { distinctIdName, emailName, type Lookup, type Person } from './store.ts'

const known = ['distinct_id', 'email', 'format', 'limit', 'offset', 'properties', 'search']

/** Servers ignore an unknown filter and return all persons. */
export function selectionOf(call: Call) {
  const other = [...call.query.keys()].find(name => !known.includes(name))
  if (other !== undefined && !call.isObserved) throw invalid(other, 'Unknown parameter.', 'unknown_parameter')
  const [email, distinctId, search, properties] = ['email', 'distinct_id', 'search', 'properties'].map(
    name => call.query.get(name) || undefined,
  )
  const lookups: Lookup[] = []
  if (email !== undefined) lookups.push({ name: emailName(email) })
  if (distinctId !== undefined) lookups.push({ name: distinctIdName(distinctId) })
  if (search !== undefined) {
    lookups.push({ name: distinctIdName(search), orEmail: JSON.stringify(search).slice(1, -1) })
  }
  const tests = properties === undefined ? [] : entriesIn(properties, call).flatMap(entry => testsOf(entry, call))
  return { lookups, test: tests.length > 0 ? (person: Person) => tests.every(test => test(person)) : undefined }
}

function testsOf(entry: Json, call: Call): ((person: Person) => boolean)[] {
  const filter = readEntry(entry, { typed: call.isObserved })
  const fits = filter && matcherOf(resolveTimes(filter, call.now))
  if (fits) return [({ properties }) => fits(memberOf(properties, filter.key))]
  if (call.isObserved) return []
  throw invalid('properties', `This is not a filter by person properties: ${encode(entry)}`)
}

function entriesIn(text: string, { isObserved }: Call): readonly Json[] {
  try {
    const value = decode(text)
    if (Array.isArray(value)) return value
  } catch (error) {
    if (error instanceof Malformed) throw invalid('properties', 'Properties are unparsable!')
    throw error
  }
  if (isObserved) return []
  throw invalid('properties', 'A JSON list of filters is required.')
}
