import { eventDefinition } from '../api/resources.ts'
import { type Call, emptyReply, type Handler, jsonReply, notFound, ReplyError, serverError, timestamp } from './call.ts'
import { writableFields } from './fields.ts'
import { pageOf } from './pages.ts'

export const eventDefinitionHandlers = {
  list: call => jsonReply(pageOf(call, 'event_definitions')),

  get: call => jsonReply(definitionOf(call).record),

  update(call) {
    const { number, record } = definitionOf(call)
    const ignored = call.isObserved ? ['name', 'created_at', 'last_seen_at'] : undefined
    const fields = writableFields(call, eventDefinition, ignored)
    const tags = Array.isArray(fields.tags) ? new Set(fields.tags.map(tag => String(tag).toLowerCase())) : undefined
    const kept = call.isObserved && tags ? { tags: [...tags] } : {}
    const changed = { ...record, ...fields, ...kept, last_updated_at: timestamp(call.now) }
    call.store.put('event_definitions', call.scopeId, number, changed)
    return jsonReply(changed)
  },

  delete(call) {
    call.store.remove('event_definitions', definitionOf(call).number)
    return emptyReply(204)
  },
} satisfies Record<string, Handler>

function definitionOf({ store, scopeId, id, isObserved }: Call) {
  const definition = store.find('event_definitions', scopeId, id.toLowerCase())
  if (definition) return definition
  throw isObserved ? new ReplyError(serverError) : notFound()
}
