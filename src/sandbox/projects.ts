import { project, projectListItem } from '../api/resources.ts'
import type { Json, JsonObject } from '../json/exact.ts'
import { type Call, emptyReply, found, type Handler, invalid, jsonReply, timestamp } from './call.ts'
import company from './company.json'
import { writableFields } from './fields.ts'
import { pageOf } from './pages.ts'
import { type Store, uuidOf } from './store.ts'

export const { organization } = company

export const projectHandlers = {
  list(call) {
    const page = pageOf(call, 'projects')
    const names = Object.keys(projectListItem)
    const itemOf = (record: JsonObject<Json>) => Object.fromEntries(names.map(name => [name, record[name] ?? null]))
    return jsonReply({ ...page, results: page.results.map(itemOf) })
  },

  create: call => jsonReply(addProject(call.store, fieldsOf(call), call.now), 201),
  get: call => jsonReply(projectOf(call)),

  update(call) {
    const existing = projectOf(call)
    const fields = fieldsOf(call, call.isObserved ? ['slack_incoming_webhook'] : undefined)
    const changed = { ...existing, ...fields, updated_at: timestamp(call.now) }
    call.store.put('projects', '', existing.id, changed)
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
  return found(findProject(store, id))
}

export function findProject(store: Store, id: string) {
  return id === '@current' ? store.list('projects', '').records.at(-1) : store.get('projects', '', id)
}

function fieldsOf(call: Call, ignored?: readonly string[]): JsonObject<Json> {
  const fields = writableFields(call, project, ignored)
  if (fields.name === '') throw invalid('name', 'This field may not be blank.', 'blank')
  const { session_recording_sample_rate: rate } = fields
  if (!call.isObserved || typeof rate !== 'string' || !/^\d*\.?\d+$/.test(rate)) return fields
  return { ...fields, session_recording_sample_rate: Number(rate).toFixed(2) }
}

export function addProject(store: Store, fields: JsonObject<Json>, now: number) {
  const id = store.nextId('projects')
  const added = {
    ...company.newProject,
    ...fields,
    id,
    uuid: uuidOf(`project ${id}`),
    organization: organization.id,
    api_token: `phc_sandbox_${uuidOf(`token ${id}`).replaceAll('-', '')}`,
    created_at: timestamp(now),
    updated_at: timestamp(now),
  }
  store.put('projects', '', id, added)
  return added
}
