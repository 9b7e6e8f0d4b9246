import { type Fields, project, projectListItem } from '../api/resources.ts'
import type { Json, JsonObject } from '../json/exact.ts'
import { boolean, type Kind } from '../values/kinds.ts'
import { type Call, emptyReply, type Handler, invalid, jsonReply, notFound, timestamp } from './call.ts'
import { writableFields } from './fields.ts'
import { uuidOf } from './hash.ts'
import { recordsPage } from './pages.ts'
import type { Store } from './store.ts'

export const organization = { id: uuidOf('organization'), name: 'Juniper & Quill Books' }

export const projectHandlers = {
  list: call =>
    recordsPage(call, 'projects', record => {
      const names = Object.keys(projectListItem.fields)
      return Object.fromEntries(names.map(name => [name, record[name] ?? null]))
    }),

  create: call => jsonReply(addProject(call.store, fieldsOf(call), call.now), 201),
  get: call => jsonReply(projectOf(call)),

  update(call) {
    const found = projectOf(call)
    const fields = fieldsOf(call, call.isObserved ? ['slack_incoming_webhook'] : undefined)
    const changed = { ...found, ...fields, updated_at: timestamp(call.now) }
    call.store.put('projects', '', found.id, changed)
    return jsonReply(changed)
  },

  delete(call) {
    const { id } = projectOf(call)
    call.store.clear(String(id))
    call.store.remove('projects', id)
    return emptyReply(204)
  },
} satisfies Record<string, Handler>

function projectOf({ store, id }: Call) {
  const found = findProject(store, id)
  if (!found) throw notFound()
  return found
}

/** By number, or `@current` for the oldest. */
export function findProject(store: Store, id: string) {
  if (id === '@current') return store.list('projects', '').records.at(-1)
  return /^\d{1,15}$/.test(id) ? store.get('projects', '', Number(id)) : undefined
}

function fieldsOf(call: Call, ignored?: readonly string[]): JsonObject<Json> {
  const fields = writableFields(call, { fields: project.fields, ignored })
  if (fields.name === '') throw invalid('name', 'This field may not be blank.', 'blank')
  const { session_recording_sample_rate: rate } = fields
  if (!call.isObserved || typeof rate !== 'string' || !/^\d*\.?\d+$/.test(rate)) return fields
  return { ...fields, session_recording_sample_rate: Number(rate).toFixed(2) }
}

export function addProject(store: Store, fields: JsonObject<Json>, now: number) {
  const id = store.nextId('projects')
  const made: JsonObject<Json> = {
    ...defaults,
    ...fields,
    uuid: uuidOf(`project ${id}`),
    organization: organization.id,
    api_token: `phc_sandbox_${uuidOf(`token ${id}`).replaceAll('-', '')}`,
    created_at: timestamp(now),
    updated_at: timestamp(now),
  }
  const members = Object.entries<Fields[string]>(project.fields).map(([name, { kind }]) => [
    name,
    Object.hasOwn(made, name) ? made[name] : usual(kind),
  ])
  const value = { ...Object.fromEntries(members), id }
  store.put('projects', '', id, value)
  return value
}

function usual(kind: Kind<unknown>): Json {
  if (kind === boolean) return false
  return kind.item ? [] : null
}

/** Other fields begin as false, an empty list or null. */
const defaults: JsonObject<Json> = {
  name: 'Default project',
  test_account_filters: [],
  path_cleaning_filters: [],
  timezone: 'UTC',
  data_attributes: ['data-attr'],
  person_display_name_properties: ['name', 'email'],
  correlation_config: {},
  autocapture_exceptions_errors_to_ignore: [],
  effective_membership_level: 15,
  week_start_day: 0,
  person_on_events_querying_enabled: true,
  groups_on_events_querying_enabled: true,
  extra_settings: {},
  has_completed_onboarding_for: {},
}
