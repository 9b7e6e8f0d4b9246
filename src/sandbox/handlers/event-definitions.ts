import { eventDefinition } from '../../api/resources.ts'
import { writeMembers } from '../../json/write-members.ts'
import { isUuid } from '../../values/ids.ts'
import {
  AnswerError,
  answer,
  type Call,
  empty,
  type Handler,
  notFound,
  parseBody,
  refused,
  serverError,
  timestamp,
} from '../call.ts'
import { readMembers, stringOf } from '../members.ts'
import { countedPage, windowOf } from '../paging.ts'
import { writableFields } from '../records/fields.ts'

interface Row {
  readonly number: number
  readonly record: string
}

/** Servers answer 200 for these fields and do not change them. */
const fixed = ['name', 'created_at', 'last_seen_at']

export const eventDefinitionHandlers = {
  list(call) {
    const window = windowOf(call)
    const search = call.dialect === 'observed' ? (call.query.get('search') ?? '').toLowerCase() : ''
    const rows = call.store
      .all<Row>('SELECT number, record FROM event_definitions WHERE project = ? ORDER BY number DESC', call.scope)
      .filter(({ record }) => search === '' || nameOf(record).toLowerCase().includes(search))
    return countedPage(
      call,
      window,
      rows.length,
      rows.slice(window.offset, window.offset + window.take).map(({ record }) => shown(call, record)),
    )
  },

  get: call => answer(shown(call, rowOf(call).record)),

  update(call) {
    const { number, record } = rowOf(call)
    if (call.faults.has('unlicensed')) throw unlicensed()
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
    call.store.run('UPDATE event_definitions SET record = ? WHERE number = ?', writeMembers(changed), number)
    return answer(shown(call, writeMembers(changed)))
  },

  delete(call) {
    const { number } = rowOf(call)
    if (call.faults.has('unlicensed')) throw unlicensed()
    call.store.run('DELETE FROM event_definitions WHERE number = ?', number)
    return empty(204)
  },
} satisfies Record<string, Handler>

function nameOf(record: string): string {
  return stringOf(readMembers(record).get('name')) ?? ''
}

function unlicensed(): AnswerError {
  const detail = 'Event definitions cannot be changed on this plan.'
  return refused(402, { type: 'server_error', code: 'payment_required', detail })
}

function rowOf(call: Call): Row {
  const id = call.path.id ?? ''
  const row = call.store.get<Row>(
    'SELECT number, record FROM event_definitions WHERE project = ? AND id = ?',
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
