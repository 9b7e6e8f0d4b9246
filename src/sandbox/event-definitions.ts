import { eventDefinition } from '../api/resources.ts'
import { AnswerError, answer, type Call, empty, type Handler, notFound, serverError, timestamp } from './call.ts'
import { writableFields } from './fields.ts'
import { page, windowOf } from './pages.ts'

export const eventDefinitionHandlers = {
  list(call) {
    const window = windowOf(call)
    const { offset, take: limit } = window
    const { count, records } = call.store.list('event_definitions', call.place, { offset, limit })
    return page(call, window, count, records)
  },

  get: call => answer(definitionOf(call).value),

  update(call) {
    const { id, value } = definitionOf(call)
    const filled = ['name', 'tags', 'post_to_slack']
    const ignored = call.isObserved ? ['name', 'created_at', 'last_seen_at'] : undefined
    const fields = writableFields(call, { fields: eventDefinition.fields, filled, ignored })
    const tags = call.isObserved && Array.isArray(fields.tags) ? { tags: lowerCased(fields.tags) } : {}
    const changed = { ...value, ...fields, ...tags, last_updated_at: timestamp(call.now) }
    call.store.put('event_definitions', call.place, { id, value: changed, names: [value.id] })
    return answer(changed)
  },

  delete(call) {
    call.store.remove('event_definitions', definitionOf(call).id)
    return empty(204)
  },
} satisfies Record<string, Handler>

function lowerCased(tags: readonly unknown[]): string[] {
  return [...new Set(tags.map(tag => String(tag).toLowerCase()))]
}

function definitionOf({ store, place, id: uuid, isObserved }: Call) {
  const id = store.find('event_definitions', place, uuid.toLowerCase())
  const value = id === undefined ? undefined : store.get('event_definitions', place, id)
  if (id !== undefined && value) return { id, value }
  throw isObserved ? new AnswerError(serverError) : notFound()
}
