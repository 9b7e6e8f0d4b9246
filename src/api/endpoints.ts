/** The 44 endpoints in the order of the service's document, and what each does on real servers. */
import type { Effect } from '../http/message.ts'
import { boolean, integer, json, type Kind, oneOf, text } from '../values/kinds.ts'
import { listOf } from '../values/lists.ts'
import { eventDefinition, person, plugin, project, projectListItem, type Resource, writableOf } from './resources.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Kinds = Readonly<Record<string, Kind<unknown>>>

type Returns =
  | { readonly shape: 'page' | 'one'; readonly of: Resource }
  /** For some of these the document shows a person or a plugin, but servers have a shape for each. */
  | { readonly shape: 'undocumented' | 'nothing' }

export interface Endpoint {
  readonly method: Method
  readonly effect: Effect
  /** It deletes an object, a property of a person, or the distinct ids that a split gives away. */
  readonly destroys: boolean
  readonly path: string
  readonly query?: Kinds
  readonly body?: Kinds
  readonly status: 200 | 201 | 202 | 204
  readonly returns: Returns
}

export type PathOf<P extends string> = P extends `${string}/:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & PathOf<`/${Rest}`>
  : object

/** What is not as it is for most endpoints with the same method. */
type Special = Partial<Pick<Endpoint, 'query' | 'body' | 'effect' | 'destroys'>>
type Endpoints = Readonly<Record<string, Endpoint>>

const pageOf = (of: Resource) => ({ shape: 'page', of }) as const
const one = (of: Resource) => ({ shape: 'one', of }) as const
const undocumented = { shape: 'undocumented' } as const
const nothing = { shape: 'nothing' } as const

const format = { format: oneOf('csv', 'json') }
const paging = { limit: integer, offset: integer }
const properties = { properties: json }
const postView = { query: format, body: properties, effect: 'read' } as const

const effects: Readonly<Record<Method, Effect>> = { GET: 'read', POST: 'act', PATCH: 'set', DELETE: 'set' }

function row<
  const M extends Method,
  const P extends string,
  S extends Endpoint['status'],
  R extends Returns,
  const I extends Special,
>(method: M, path: P, status: S, returns: R, special: I) {
  return { method, path, status, returns, effect: effects[method], destroys: method === 'DELETE', ...special }
}

const inProject = '/api/projects/:project_id'
const inOrganization = '/api/organizations/:parent_lookup_organization_id'

export const persons = {
  list: row('GET', `${inProject}/persons/`, 200, pageOf(person), {
    query: { distinct_id: text, email: text, ...format, ...paging, properties: listOf(json), search: text },
  }),
  get: row('GET', `${inProject}/persons/:id/`, 200, one(person), { query: format }),
  update: row('PATCH', `${inProject}/persons/:id/`, 200, one(person), { query: format, body: properties }),
  delete: row('DELETE', `${inProject}/persons/:id/`, 204, nothing, { query: { delete_events: boolean, ...format } }),
  activity: row('GET', `${inProject}/persons/:id/activity/`, 200, undocumented, { query: format }),
  deleteProperty: row('POST', `${inProject}/persons/:id/delete_property/`, 200, one(person), {
    query: { $unset: text, ...format },
    body: properties,
    effect: 'set',
    destroys: true,
  }),
  propertiesTimeline: row('GET', `${inProject}/persons/:id/properties_timeline/`, 200, undocumented, { query: format }),
  split: row('POST', `${inProject}/persons/:id/split/`, 200, one(person), {
    query: format,
    body: properties,
    destroys: true,
  }),
  updateProperty: row('POST', `${inProject}/persons/:id/update_property/`, 200, one(person), {
    query: { key: text, value: json, ...format },
    body: properties,
    effect: 'set',
  }),
  allActivity: row('GET', `${inProject}/persons/activity/`, 200, undocumented, { query: format }),
  cohorts: row('GET', `${inProject}/persons/cohorts/`, 200, undocumented, { query: format }),
  funnel: row('GET', `${inProject}/persons/funnel/`, 200, undocumented, { query: format }),
  funnelPost: row('POST', `${inProject}/persons/funnel/`, 200, undocumented, postView),
  funnelCorrelation: row('GET', `${inProject}/persons/funnel/correlation/`, 200, undocumented, { query: format }),
  funnelCorrelationPost: row('POST', `${inProject}/persons/funnel/correlation/`, 200, undocumented, postView),
  lifecycle: row('GET', `${inProject}/persons/lifecycle/`, 200, undocumented, { query: format }),
  path: row('GET', `${inProject}/persons/path/`, 200, undocumented, { query: format }),
  pathPost: row('POST', `${inProject}/persons/path/`, 200, undocumented, postView),
  retention: row('GET', `${inProject}/persons/retention/`, 200, undocumented, { query: format }),
  stickiness: row('GET', `${inProject}/persons/stickiness/`, 200, undocumented, { query: format }),
  trends: row('GET', `${inProject}/persons/trends/`, 200, undocumented, { query: format }),
  values: row('GET', `${inProject}/persons/values/`, 200, undocumented, { query: format }),
} satisfies Endpoints

const pluginBody = writableOf(plugin)

export const plugins = {
  list: row('GET', `${inOrganization}/plugins/`, 200, pageOf(plugin), { query: paging }),
  create: row('POST', `${inOrganization}/plugins/`, 201, one(plugin), { body: pluginBody }),
  get: row('GET', `${inOrganization}/plugins/:id/`, 200, one(plugin), {}),
  update: row('PATCH', `${inOrganization}/plugins/:id/`, 200, one(plugin), { body: pluginBody }),
  delete: row('DELETE', `${inOrganization}/plugins/:id/`, 204, nothing, {}),
  checkForUpdates: row('GET', `${inOrganization}/plugins/:id/check_for_updates/`, 200, undocumented, {}),
  source: row('GET', `${inOrganization}/plugins/:id/source/`, 200, undocumented, {}),
  updateSource: row('PATCH', `${inOrganization}/plugins/:id/update_source/`, 200, one(plugin), { body: pluginBody }),
  upgrade: row('POST', `${inOrganization}/plugins/:id/upgrade/`, 200, one(plugin), { body: pluginBody }),
  activity: row('GET', `${inOrganization}/plugins/activity/`, 200, undocumented, {}),
  exportsUnsubscribeConfigs: row(
    'GET',
    `${inOrganization}/plugins/exports_unsubscribe_configs/`,
    200,
    undocumented,
    {},
  ),
  repository: row('GET', `${inOrganization}/plugins/repository/`, 200, undocumented, {}),
  unused: row('GET', `${inOrganization}/plugins/unused/`, 200, undocumented, {}),
} satisfies Endpoints

export const eventDefinitions = {
  list: row('GET', `${inProject}/event_definitions/`, 200, pageOf(eventDefinition), { query: paging }),
  get: row('GET', `${inProject}/event_definitions/:id/`, 200, one(eventDefinition), {}),
  update: row('PATCH', `${inProject}/event_definitions/:id/`, 200, one(eventDefinition), {
    body: writableOf(eventDefinition),
  }),
  delete: row('DELETE', `${inProject}/event_definitions/:id/`, 204, nothing, {}),
} satisfies Endpoints

export const projects = {
  list: row('GET', '/api/projects/', 200, pageOf(projectListItem), { query: paging }),
  create: row('POST', '/api/projects/', 201, one(project), { body: writableOf(project) }),
  get: row('GET', '/api/projects/:id/', 200, one(project), {}),
  update: row('PATCH', '/api/projects/:id/', 200, one(project), { body: writableOf(project) }),
  delete: row('DELETE', '/api/projects/:id/', 204, nothing, {}),
} satisfies Endpoints

export const endpoints = { persons, plugins, eventDefinitions, projects }

/** Endpoints of newer servers, which the document does not have. */
export const newer = {
  batchByDistinctIds: row('POST', `${inProject}/persons/batch_by_distinct_ids/`, 200, undocumented, {
    body: { distinct_ids: listOf(text) },
    effect: 'read',
  }),
  bulkDelete: row('POST', `${inProject}/persons/bulk_delete/`, 202, undocumented, { effect: 'set', destroys: true }),
  deletionStatus: row('GET', `${inProject}/persons/deletion_status/`, 200, undocumented, {
    query: { person_uuid: text, status: text },
  }),
} satisfies Endpoints
