import { project, projectListItem } from '../../api/resources.ts'
import { answer, bodyOf, type Call, empty, type Handler, invalid, notFound, timestamp } from '../call.ts'
import { writableFields } from '../fields.ts'
import { type Members, readMembers, stringOf, writeMembers } from '../members.ts'
import { page, windowOf } from '../paging.ts'
import { addProject, findProject, removeProject } from '../projects.ts'

/** In the wild `PATCH` ignores what it does not know, and writes a sample rate with two places. */
export const projectHandlers = {
  list(call) {
    const window = windowOf(call)
    const count = call.store.get<{ n: number }>('SELECT count(*) AS n FROM projects')?.n ?? 0
    const rows = call.store.all<{ record: string }>(
      'SELECT record FROM projects ORDER BY id DESC LIMIT ? OFFSET ?',
      window.take,
      window.offset,
    )
    return page(
      call,
      window,
      count,
      rows.map(({ record }) => listItem(record)),
    )
  },

  create(call) {
    const fields = fieldsOf(call)
    return answer(addProject(call.store, fields, call.now), 201)
  },

  get: call => answer(recordOf(call).record),

  update(call) {
    const { id, record } = recordOf(call)
    const fields = fieldsOf(call)
    const changed = new Map([...readMembers(record), ...fields, ['updated_at', JSON.stringify(timestamp(call.now))]])
    call.store.run('UPDATE projects SET record = ? WHERE id = ?', writeMembers(changed), id)
    return answer(writeMembers(changed))
  },

  delete(call) {
    removeProject(call.store, recordOf(call).id)
    return empty(204)
  },
} satisfies Record<string, Handler>

function recordOf(call: Call) {
  const found = findProject(call.store, call.path.id ?? '')
  if (!found) throw notFound()
  return found
}

function listItem(record: string): string {
  const members = readMembers(record)
  return writeMembers(new Map(Object.keys(projectListItem.fields).map(name => [name, members.get(name) ?? 'null'])))
}

/** What must not be null; the free-form and optional ones may. */
const filled = [
  'name',
  'timezone',
  'app_urls',
  'anonymize_ips',
  'completed_snippet_onboarding',
  'is_demo',
  'session_recording_opt_in',
  'access_control',
]

function fieldsOf(call: Call): Members {
  const fields = writableFields(call, project, bodyOf(call), { filled })
  if (stringOf(fields.get('name')) === '') throw invalid('name', 'This field may not be blank.', 'blank')
  const rate = stringOf(fields.get('session_recording_sample_rate'))
  if (call.dialect === 'observed' && rate !== undefined) fields.set('session_recording_sample_rate', twoPlaces(rate))
  return fields
}

function twoPlaces(rate: string): string {
  if (!/^(0|1)?(\.\d+)?$/.test(rate) || rate === '' || Number(rate) > 1) {
    throw invalid('session_recording_sample_rate', 'A number from 0 to 1 is required.')
  }
  return JSON.stringify(Number(rate).toFixed(2))
}
