import { project, projectListItem } from '../../api/resources.ts'
import { answer, type Call, empty, type Handler, invalid, notFound, parseBody, timestamp } from '../call.ts'
import { uuidOf } from '../hash.ts'
import { type Members, readMembers, stringOf, writeMembers } from '../members.ts'
import { recordsPage } from '../paging.ts'
import { writableFields } from '../records/fields.ts'
import { checkSettings } from '../records/project-rules.ts'
import { addProject, findProject, removeProject } from '../records/projects.ts'

export const projectHandlers = {
  list: call => recordsPage(call, 'FROM projects', [], listItem),

  create: call => answer(shown(call, addProject(call.store, fieldsOf(call), call.now)), 201),

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

/** Newer servers do not have the webhook any more. */
const { slack_incoming_webhook: _, ...observedFields } = project.fields

/** Servers refuse null for these fields. */
const filled = [
  'name',
  'timezone',
  'app_urls',
  'anonymize_ips',
  'completed_snippet_onboarding',
  'is_demo',
  'session_recording_opt_in',
]

/** Free-form in the document, so only servers refuse null. */
const filledOnServers = ['test_account_filters', 'data_attributes']

function fieldsOf(call: Call, id?: string, before: Members = new Map()): Members {
  const body = parseBody(call)
  const fields = writableFields(
    call,
    body,
    call.dialect === 'documented'
      ? { fields: project.fields, filled: [...filled, 'access_control'], also: [] }
      : { fields: observedFields, filled: [...filled, ...filledOnServers], also: Object.keys(undocumented) },
  )
  if (stringOf(fields.get('name')) === '') throw invalid('name', 'This field may not be blank.', 'blank')
  if (call.dialect === 'documented') return fields
  const rate = stringOf(fields.get('session_recording_sample_rate'))
  if (rate !== undefined) fields.set('session_recording_sample_rate', twoPlaces(rate))
  checkSettings(body)
  checkDashboard(call, id, fields.get('primary_dashboard'))
  const replay = body.members.get(replayConfig)
  if (replay !== undefined) fields.set(replayConfig, mergeObject(before.get(replayConfig), replay))
  return fields
}

/** The only free-form value that servers merge. */
const replayConfig = 'session_replay_config'

/** Some of the fields of servers that the service's document does not have, as they are at first. */
const undocumented: Readonly<Record<string, unknown>> = {
  [replayConfig]: null,
  survey_config: null,
  heatmaps_opt_in: null,
  capture_dead_clicks: null,
  autocapture_web_vitals_opt_in: null,
  autocapture_web_vitals_allowed_metrics: null,
  flags_persistence_default: false,
  human_friendly_comparison_periods: false,
  base_currency: 'USD',
}

function mergeObject(before: string | undefined, change: string): string {
  if (!change.startsWith('{')) return change
  return writeMembers(new Map([...readMembers(before ?? '{}'), ...readMembers(change)]))
}

function shown(call: Call, record: string): string {
  const members = readMembers(record)
  if (call.dialect === 'documented') return only(members, name => !Object.hasOwn(undocumented, name))
  const id = members.get('id') ?? ''
  const tokens = {
    secret_api_token: `phs_sandbox_${uuidOf(`secret token ${id}`).replaceAll('-', '')}`,
    secret_api_token_backup: null,
    live_events_token: uuidOf(`live events token ${id}`),
  }
  const more = Object.entries({ ...undocumented, ...tokens }).filter(([name]) => !members.has(name))
  for (const [name, value] of more) members.set(name, JSON.stringify(value))
  return only(members, name => name !== 'slack_incoming_webhook')
}

function only(members: Members, isShown: (name: string) => boolean): string {
  return writeMembers([...members].filter(([name]) => isShown(name)))
}

/** The project with the id 2 has the dashboards 21 to 29, and so on. */
function checkDashboard({ store }: Call, id: string | undefined, dashboard: string | undefined): void {
  const field = 'primary_dashboard'
  if (dashboard === undefined) return
  if (id === undefined) throw invalid(field, 'Primary dashboard cannot be set on project creation.')
  if (dashboard === 'null') return
  const owner = /^\d+[1-9]$/.test(dashboard) ? findProject(store, dashboard.slice(0, -1))?.id : undefined
  if (owner === undefined) throw invalid(field, `Invalid pk "${dashboard}" - object does not exist.`, 'does_not_exist')
  if (owner !== id) throw invalid(field, 'Dashboard does not belong to this team.')
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
