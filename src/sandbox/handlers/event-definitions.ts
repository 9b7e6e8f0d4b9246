import { eventDefinition } from '../../api/resources.ts'
import { isUuid } from '../../values/ids.ts'
import {
  AnswerError,
  answer,
  type Call,
  empty,
  type Handler,
  notFound,
  parseBody,
  serverError,
  timestamp,
} from '../call.ts'
import { readMembers, writeMembers } from '../members.ts'
import { recordsPage } from '../paging.ts'
import { writableFields } from '../records/fields.ts'

interface Row {
  readonly id: number
  readonly record: string
}

/** Servers answer 200 for these fields and do not change them. */
const fixed = ['name', 'created_at', 'last_seen_at']

export const eventDefinitionHandlers = {
  list(call) {
    const search = (call.dialect === 'observed' && call.query.get('search')) || ''
    const from =
      "FROM event_definitions WHERE project = ? AND instr(lower(json_extract(record, '$.name')), lower(?)) > 0"
    return recordsPage(call, from, [call.scope, search], record => shown(call, record))
  },

  get: call => answer(shown(call, rowOf(call).record)),

  update(call) {
    const { id, record } = rowOf(call)
    const fields = writableFields(call, parseBody(call), {
      fields: eventDefinition.fields,
      filled: ['name', 'tags', 'post_to_slack'],
      also: [],
    })
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
    call.store.run('UPDATE event_definitions SET record = ? WHERE id = ?', writeMembers(changed), id)
    return answer(shown(call, writeMembers(changed)))
  },

  delete(call) {
    const { id } = rowOf(call)
    call.store.run('DELETE FROM event_definitions WHERE id = ?', id)
    return empty(204)
  },
} satisfies Record<string, Handler>

function rowOf(call: Call): Row {
  const id = call.path.id ?? ''
  const row = call.store.get<Row>(
    'SELECT id, record FROM event_definitions WHERE project = ? AND uuid = ?',
    call.scope,
    id.toLowerCase(),
  )
  if (row) return row
  if (call.dialect === 'observed' && !isUuid(id)) throw new AnswerError(serverError)
  throw notFound()
}

/** The service's document calls `is_action` a string; servers send a boolean. */
function shown(call: Call, record: string): string {
  if (call.dialect === 'documented') return record
  const members = readMembers(record)
  return writeMembers(members.set('is_action', members.get('is_action') === '"true"' ? 'true' : 'false'))
}

function lowerCased(tags: string): string {
  const list: readonly string[] = JSON.parse(tags)
  return JSON.stringify([...new Set(list.map(tag => tag.trim().toLowerCase()))])
}
