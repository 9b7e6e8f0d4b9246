/** Newer servers delete many persons with one request, and count them: an id that nobody has is only not counted. */
import { isText } from '../../json/checks.ts'
import { answer, type Call, invalid, parseBody, type Reply } from '../call.ts'
import { findByDistinctId, findPerson, type Person, uuidForm } from '../records/persons.ts'
import { deletePerson } from './persons-writing.ts'

const most = 1000

export function bulkDelete(call: Call): Reply {
  const { ids, distinct_ids: distinctIds, delete_events: withEvents } = parseBody(call).values
  if (ids !== undefined && distinctIds !== undefined) throw invalid(null, 'Give either ids or distinct_ids, not both.')
  const find = distinctIds === undefined ? findPerson : findByDistinctId
  const names = namesIn(distinctIds ?? ids)
  if (distinctIds === undefined && !names.every(name => uuidForm.test(name))) throw invalid('ids', 'Must be UUIDs.')
  const found = names.flatMap(name => find(call.store, call.scope, name) ?? [])
  const persons = [...new Map(found.map(person => [person.id, person])).values()]
  for (const person of persons) deletePerson(call, person, Boolean(withEvents))
  return counted(persons, Boolean(withEvents))
}

function namesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list) || list.length === 0) throw invalid(null, 'Give ids or distinct_ids.')
  if (list.length > most) throw invalid(null, `You can only pass ${most} ids in one call.`)
  if (!list.every(isText)) throw invalid(null, 'Must be a list of strings.')
  return list
}

function counted(deleted: readonly Person[], withEvents: boolean): Reply {
  const counts = {
    persons_found: deleted.length,
    persons_deleted: deleted.length,
    persons_queued_for_deletion: 0,
    events_queued_for_deletion: withEvents ? deleted.length : 0,
    deletion_errors: [],
  }
  return answer(JSON.stringify(counts), 202)
}
