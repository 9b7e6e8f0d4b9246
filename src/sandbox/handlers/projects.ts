import { project, projectListItem } from '../../api/resources.ts'
import { writeMembers } from '../../json/write-members.ts'
import { answer, type Call, empty, type Handler, invalid, notFound, parseBody, timestamp } from '../call.ts'
import { type Members, readMembers, stringOf } from '../members.ts'
import { countedPage, windowOf } from '../paging.ts'
import { writableFields } from '../records/fields.ts'
import { checkSettings } from '../records/project-rules.ts'
import { addProject, findProject, removeProject } from '../records/projects.ts'

export const projectHandlers = {
  list(call) {
    const window = windowOf(call)
    const count = call.store.count('FROM projects')
    const rows = call.store.all<{ record: string }>(
      'SELECT record FROM projects ORDER BY projects.id DESC LIMIT ? OFFSET ?',
      window.take,
      window.offset,
    )
    return countedPage(
      call,
      window,
      count,
      rows.map(({ record }) => listItem(record)),
    )
  },

  create(call) {
    return answer(addProject(call.store, fieldsOf(call), call.now), 201)
  },

  get: call => answer(shown(call, recordOf(call).record)),

  update(call) {
    const { id, record } = recordOf(call)
    const before = readMembers(record)
    const fields = fieldsOf(call, id, before)
    const changed = new Map([...before, ...fields, ['updated_at', JSON.stringify(timestamp(call.now))]])
    call.store.run('UPDATE projects SET record = ? WHERE id = ?', writeMembers(changed), id)
    return answer(shown(call, writeMembers(changed)))
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

/** Servers refuse null for these fields. */
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

/** Free-form in the document, so only servers refuse null. */
const filledOnServers = ['test_account_filters', 'data_attributes']

function fieldsOf(call: Call, id?: string, before: Members = new Map()): Members {
  const body = parseBody(call)
  const fields = writableFields(call, project, body, {
    filled: call.dialect === 'documented' ? filled : [...filled, ...filledOnServers],
  })
  if (stringOf(fields.get('name')) === '') throw invalid('name', 'This field may not be blank.', 'blank')
  if (call.dialect === 'documented') return fields
  const rate = stringOf(fields.get('session_recording_sample_rate'))
  if (rate !== undefined) fields.set('session_recording_sample_rate', twoPlaces(rate))
  checkSettings(body)
  refuseForeignDashboard(call, id, fields.get('primary_dashboard'))
  const replay = body.members.get(replayConfig)
  if (replay !== undefined) fields.set(replayConfig, mergeObject(before.get(replayConfig), replay))
  return fields
}

/** A field that is not in the service's document, and the only free-form value that servers merge. */
const replayConfig = 'session_replay_config'

function mergeObject(before: string | undefined, change: string): string {
  if (!change.startsWith('{')) return change
  return writeMembers(new Map([...readMembers(before ?? '{}'), ...readMembers(change)]))
}

function shown(call: Call, record: string): string {
  if (call.dialect === 'observed' || !record.includes(replayConfig)) return record
  const members = readMembers(record)
  members.delete(replayConfig)
  return writeMembers(members)
}

/** The sandbox has no dashboards, so the only foreign one is the primary dashboard of another project. */
function refuseForeignDashboard({ store }: Call, id: string | undefined, dashboard: string | undefined): void {
  if (dashboard === undefined || dashboard === 'null') return
  const others = store.all<{ record: string }>('SELECT record FROM projects WHERE id <> ?', id ?? '0')
  if (others.some(({ record }) => readMembers(record).get('primary_dashboard') === dashboard)) {
    throw invalid('primary_dashboard', 'Dashboard does not belong to this team.')
  }
}

function twoPlaces(rate: string): string {
  if (!/^(0|1)?(\.\d+)?$/.test(rate) || rate === '' || Number(rate) > 1) {
    throw invalid('session_recording_sample_rate', 'A number from 0 to 1 is required.')
  }
  if (/\.\d{3}/.test(rate)) {
    const detail = 'Ensure that there are no more than 2 decimal places.'
    throw invalid('session_recording_sample_rate', detail, 'max_decimal_places')
  }
  return JSON.stringify(Number(rate).toFixed(2))
}
