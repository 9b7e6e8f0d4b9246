import { eventDefinition } from '../../api/resources.ts'
import { answer, bodyOf, type Call, Denied, empty, faultAnswer, type Handler, notFound, timestamp } from '../call.ts'
import { writableFields } from '../fields.ts'
import { readMembers, writeMembers } from '../members.ts'
import { page, windowOf } from '../paging.ts'

interface Row {
  readonly number: number
  readonly record: string
}

/** In the wild: names and times cannot be changed although the answer is 200, tags are lower-cased. */
const fixed = ['name', 'created_at', 'last_seen_at']

export const eventDefinitionHandlers = {
  list(call) {
    const window = windowOf(call)
    const count = call.store.get<{ n: number }>(
      'SELECT count(*) AS n FROM event_definitions WHERE project = ?',
      call.scope,
    )
    const rows = call.store.all<Row>(
      'SELECT number, record FROM event_definitions WHERE project = ? ORDER BY number DESC LIMIT ? OFFSET ?',
      call.scope,
      window.take,
      window.offset,
    )
    return page(
      call,
      window,
      count?.n ?? 0,
      rows.map(({ record }) => shown(call, record)),
    )
  },

  get: call => answer(shown(call, rowOf(call).record)),

  update(call) {
    const { number, record } = rowOf(call)
    const fields = writableFields(call, eventDefinition, bodyOf(call), { filled: ['name', 'tags', 'post_to_slack'] })
    if (call.dialect === 'observed') {
      for (const name of fixed) fields.delete(name)
      const tags = fields.get('tags')
      if (tags !== undefined) fields.set('tags', lowerCased(tags))
    }
    const changed = new Map([
      ...readMembers(record),
      ...fields,
      ['last_updated_at', JSON.stringify(timestamp(call.now))],
    ])
    call.store.run('UPDATE event_definitions SET record = ? WHERE number = ?', writeMembers(changed), number)
    return answer(shown(call, writeMembers(changed)))
  },

  delete(call) {
    call.store.run('DELETE FROM event_definitions WHERE number = ?', rowOf(call).number)
    return empty(204)
  },
} satisfies Record<string, Handler>

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

function rowOf(call: Call): Row {
  const id = call.path.id ?? ''
  const row = call.store.get<Row>(
    'SELECT number, record FROM event_definitions WHERE project = ? AND id = ?',
    call.scope,
    id.toLowerCase(),
  )
  if (row) return row
  if (call.dialect === 'observed' && !uuid.test(id)) {
    throw new Denied(faultAnswer(500, { type: 'server_error', code: 'error', detail: 'A server error occurred.' }))
  }
  throw notFound()
}

/** The service's document calls `is_action` a string; servers answer a boolean. */
function shown(call: Call, record: string): string {
  if (call.dialect === 'documented') return record
  const members = readMembers(record)
  return writeMembers(members.set('is_action', members.get('is_action') === '"true"' ? 'true' : 'false'))
}

function lowerCased(tags: string): string {
  const list = JSON.parse(tags) as readonly string[]
  return JSON.stringify([...new Set(list.map(tag => tag.trim().toLowerCase()))])
}
