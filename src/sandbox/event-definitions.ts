import { eventDefinition } from '../api/resources.ts'
import { type Call, emptyReply, type Handler, jsonReply, notFound, ReplyError, serverError, timestamp } from './call.ts'
import { writableFields } from './fields.ts'
import { recordsPage } from './pages.ts'

export const eventDefinitionHandlers = {
  list: call => recordsPage(call, 'event_definitions'),

  get: call => jsonReply(definitionOf(call).value),

  update(call) {
    const { id, value } = definitionOf(call)
    const ignored = call.isObserved ? ['name', 'created_at', 'last_seen_at'] : undefined
    const fields = writableFields(call, { fields: eventDefinition.fields, ignored })
    const tags = Array.isArray(fields.tags) ? new Set(fields.tags.map(tag => String(tag).toLowerCase())) : undefined
    const kept = call.isObserved && tags ? { tags: [...tags] } : {}
    const changed = { ...value, ...fields, ...kept, last_updated_at: timestamp(call.now) }
    call.store.put('event_definitions', call.scopeId, { id, value: changed, names: [value.id] })
    return jsonReply(changed)
  },

  delete(call) {
    call.store.remove('event_definitions', definitionOf(call).id)
    return emptyReply(204)
  },
} satisfies Record<string, Handler>

function definitionOf({ store, scopeId, id: uuid, isObserved }: Call) {
  const id = store.find('event_definitions', scopeId, uuid.toLowerCase())
  const value = id === undefined ? undefined : store.get('event_definitions', scopeId, id)
  if (id !== undefined && value) return { id, value }
  throw isObserved ? new ReplyError(serverError) : notFound()
}
