import { eventDefinition } from '../api/resources.ts'
import { AnswerError, answer, type Call, empty, type Handler, notFound, serverError, timestamp } from './call.ts'
import { writableFields } from './fields.ts'
import { recordsPage } from './pages.ts'

export const eventDefinitionHandlers = {
  list: call => recordsPage(call, 'event_definitions'),

  get: call => answer(definitionOf(call).value),

  update(call) {
    const { id, value } = definitionOf(call)
    const ignored = call.isObserved ? ['name', 'created_at', 'last_seen_at'] : undefined
    const fields = writableFields(call, { fields: eventDefinition.fields, ignored })
    const tags = Array.isArray(fields.tags) ? new Set(fields.tags.map(tag => String(tag).toLowerCase())) : undefined
    const kept = call.isObserved && tags ? { tags: [...tags] } : {}
    const changed = { ...value, ...fields, ...kept, last_updated_at: timestamp(call.now) }
    call.store.put('event_definitions', call.place, { id, value: changed, names: [value.id] })
    return answer(changed)
  },

  delete(call) {
    call.store.remove('event_definitions', definitionOf(call).id)
    return empty(204)
  },
} satisfies Record<string, Handler>

function definitionOf({ store, place, id: uuid, isObserved }: Call) {
  const id = store.find('event_definitions', place, uuid.toLowerCase())
  const value = id === undefined ? undefined : store.get('event_definitions', place, id)
  if (id !== undefined && value) return { id, value }
  throw isObserved ? new AnswerError(serverError) : notFound()
}
