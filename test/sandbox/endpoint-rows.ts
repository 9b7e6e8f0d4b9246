import { expect } from 'vitest'
import { type Endpoint, endpoints } from '../../src/api/endpoints.ts'
import { person, plugin } from '../../src/api/resources.ts'

/** What each endpoint answers in each dialect: its status, and the names in its body where it has one. */
export type EndpointRow = readonly [
  name: string,
  documented: Shape,
  observed: Shape,
  request?: { query?: string; body?: string },
]
type Shape = readonly [status: number, names: string]

const P = Object.keys(person.fields).join(' ')
const G = Object.keys(plugin.fields).join(' ')
const migration = 'hog_function_migration_available'
const page = 'count next previous results'
const log = 'results next previous total_count'
const groups = 'results next previous missing_persons'
const cached = 'results next initial missing_persons is_cached last_refresh'
const properties = { body: '{"properties":{"plan":"pro"}}' }

export const rows: readonly EndpointRow[] = [
  ['persons.list', [200, page], [200, 'next previous results']],
  ['persons.get', [200, P], [200, P]],
  ['persons.update', [200, P], [202, ''], properties],
  ['persons.activity', [200, P], [200, log]],
  ['persons.deleteProperty', [200, P], [201, 'success'], { query: '?$unset=plan', body: '{"$unset":"plan"}' }],
  ['persons.propertiesTimeline', [200, P], [200, 'points crucial_property_keys effective_date_from effective_date_to']],
  ['persons.split', [200, P], [201, 'success'], { body: '{}' }],
  ['persons.updateProperty', [200, P], [202, ''], { query: '?key=a&value=b', body: '{"key":"a","value":"b"}' }],
  ['persons.allActivity', [200, P], [200, log]],
  ['persons.cohorts', [200, P], [200, 'results'], { query: '?person_id=1' }],
  ['persons.funnel', [200, P], [200, cached]],
  ['persons.funnelPost', [200, P], [200, cached], properties],
  ['persons.funnelCorrelation', [200, P], [200, cached]],
  ['persons.funnelCorrelationPost', [200, P], [200, cached], properties],
  ['persons.lifecycle', [200, P], [200, groups]],
  ['persons.path', [200, P], [200, cached]],
  ['persons.pathPost', [200, P], [200, cached], properties],
  ['persons.retention', [200, P], [200, 'result next previous missing_persons']],
  ['persons.stickiness', [200, P], [200, groups]],
  ['persons.trends', [200, page], [200, cached]],
  ['persons.values', [200, P], [200, '[name count]'], { query: '?key=plan' }],
  ['persons.delete', [204, ''], [202, '']],

  ['plugins.list', [200, page], [200, page]],
  ['plugins.create', [201, G], [201, `${G} ${migration}`], { body: '{"name":"New","plugin_type":"source"}' }],
  ['plugins.get', [200, G], [200, `${G} ${migration}`]],
  ['plugins.update', [200, G], [200, `${G} ${migration}`], { body: '{"name":"Renamed"}' }],
  ['plugins.checkForUpdates', [200, G], [200, 'plugin']],
  ['plugins.source', [200, G], [200, 'plugin.json index.ts']],
  ['plugins.updateSource', [200, G], [200, 'plugin.json index.ts'], { body: '{}' }],
  ['plugins.upgrade', [200, G], [200, `${G} ${migration}`], { body: '{}' }],
  ['plugins.activity', [200, G], [200, log]],
  ['plugins.exportsUnsubscribeConfigs', [200, G], [200, '[]']],
  ['plugins.repository', [200, G], [200, '[name url description verified maintainer]']],
  ['plugins.unused', [200, G], [200, '[]']],
  ['plugins.delete', [204, ''], [204, '']],

  ['eventDefinitions.list', [200, page], [200, page]],
  ['eventDefinitions.get', [200, definition()], [200, definition()]],
  ['eventDefinitions.update', [200, definition()], [200, definition()], { body: '{"tags":["new"]}' }],
  ['eventDefinitions.delete', [204, ''], [204, '']],

  ['projects.list', [200, page], [200, page]],
  ['projects.create', [201, settings()], [201, settings('live_events_token')], { body: '{}' }],
  ['projects.get', [200, settings()], [200, settings('live_events_token')]],
  ['projects.update', [200, settings()], [200, settings('live_events_token')], { body: '{"name":"Renamed"}' }],
  ['projects.delete', [204, ''], [204, '']],
]

function definition(): string {
  return 'id name created_at last_seen_at last_updated_at tags is_action action_id is_calculating last_calculated_at created_by post_to_slack'
}

function settings(last = 'surveys_opt_in'): string {
  return expect.stringMatching(new RegExp(`^id uuid organization api_token app_urls name .* ${last}$`))
}

/** The ids for the paths of the rows; rows follow each other on one sandbox. */
export function idsOf(group: string, organization: string, definition: string): Readonly<Record<string, string>> {
  const ids: Readonly<Record<string, string>> = {
    persons: '1',
    plugins: '5',
    eventDefinitions: definition,
    projects: '2',
  }
  return { project_id: '1', parent_lookup_organization_id: organization, id: ids[group] ?? '' }
}

export function endpointNamed(name: string): Endpoint {
  const [group = '', own = ''] = name.split('.')
  const row = (endpoints as Readonly<Record<string, Readonly<Record<string, Endpoint>>>>)[group]?.[own]
  if (!row) throw new Error(`No endpoint is called ${name}`)
  return row
}

/** The names in a JSON answer; of a list those of its first item. */
export function namesIn(value: unknown): string {
  return Array.isArray(value) ? `[${Object.keys(value[0] ?? {}).join(' ')}]` : Object.keys(value ?? {}).join(' ')
}
