import { type Field, project } from '../../api/resources.ts'
import { boolean, type Kind } from '../../values/kinds.ts'
import { timestamp } from '../call.ts'
import { uuidOf } from '../hash.ts'
import type { Members } from '../members.ts'
import { writeMembers } from '../members.ts'
import type { Store } from '../store/store.ts'

export const organization = { id: uuidOf('organization'), name: 'Juniper & Quill Books' }

interface ProjectRow {
  readonly id: string
  readonly record: string
}

const columns = 'CAST(id AS TEXT) AS id, record'

/** `id`: a number, a UUID, or `@current` for the oldest project. */
export function findProject(store: Store, id: string): ProjectRow | undefined {
  return store.remembered(`project ${id}`, () => {
    if (id === '@current') return store.get<ProjectRow>(`SELECT ${columns} FROM projects ORDER BY projects.id LIMIT 1`)
    if (/^\d+$/.test(id)) return store.get<ProjectRow>(`SELECT ${columns} FROM projects WHERE id = ?`, id)
    return store.get<ProjectRow>(`SELECT ${columns} FROM projects WHERE uuid = ?`, id.toLowerCase())
  })
}

/** Returns the new record; `fields`: JSON texts by name. */
export function addProject(store: Store, fields: Members, now: number): string {
  const added = store.get<{ id: string }>(
    "INSERT INTO projects (uuid, record) VALUES ('', '{}') RETURNING CAST(id AS TEXT) AS id",
  )
  const id = added?.id ?? ''
  const time = timestamp(now)
  const uuid = uuidOf(`project ${id}`)
  const values: Readonly<Record<string, unknown>> = {
    id: Number(id),
    uuid,
    organization: organization.id,
    api_token: `phc_sandbox_${uuidOf(`token ${id}`).replaceAll('-', '')}`,
    created_at: time,
    updated_at: time,
  }
  const start = Object.entries<Field>(project.fields).map(([name, { kind }]): [string, string] => [
    name,
    JSON.stringify(values[name] ?? valueAtFirst(name, kind)),
  ])
  const record = writeMembers(new Map([...start, ...fields]))
  store.run('UPDATE projects SET uuid = ?, record = ? WHERE id = ?', uuid, record, id)
  return record
}

export function removeProject(store: Store, id: string): void {
  for (const table of ['pending', 'earlier', 'events']) {
    store.run(`DELETE FROM ${table} WHERE person IN (SELECT id FROM persons WHERE project = ?)`, id)
  }
  for (const table of ['persons', 'distinct_ids', 'event_deletions', 'event_definitions']) {
    store.run(`DELETE FROM ${table} WHERE project = ?`, id)
  }
  store.run("DELETE FROM activity WHERE scope = 'Person' AND place = ?", id)
  store.run('DELETE FROM projects WHERE id = ?', id)
}

function valueAtFirst(name: string, kind: Kind<unknown>): unknown {
  return defaults[name] ?? (kind === boolean ? false : kind.item ? [] : null)
}

/** All other fields are false, empty lists or null at first. */
const defaults: Readonly<Record<string, unknown>> = {
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
