/** The 44 endpoints, row by row as in the service's document, "Endpoints"; how servers depart from it is not here. */
import { boolean, integer, json, type Kind, listOf, oneOf, text } from '../values/kinds.ts'
import { eventDefinition, person, plugin, project, projectListItem, type Resource, writableOf } from './resources.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Kinds = Readonly<Record<string, Kind<unknown>>>

export type Returns =
  | { readonly shape: 'page' | 'one'; readonly of: Resource }
  | { readonly shape: 'undocumented' | 'nothing' }

export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly query?: Kinds
  readonly body?: Kinds
  readonly status: 200 | 201 | 204
  readonly returns: Returns
}

export type PathOf<P extends string> = P extends `${string}/:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & PathOf<`/${Rest}`>
  : unknown

type Endpoints = Readonly<Record<string, Endpoint>>

const pageOf = (of: Resource) => ({ shape: 'page', of }) as const
const one = (of: Resource) => ({ shape: 'one', of }) as const
const undocumented = { shape: 'undocumented' } as const
const nothing = { shape: 'nothing' } as const

const format = { format: oneOf('csv', 'json') }
const paging = { limit: integer, offset: integer }
const properties = { properties: json }

export const persons = {
  list: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/',
    query: { distinct_id: text, email: text, ...format, ...paging, properties: listOf(json), search: text },
    status: 200,
    returns: pageOf(person),
  },
  get: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/:id/',
    query: format,
    status: 200,
    returns: one(person),
  },
  update: {
    method: 'PATCH',
    path: '/api/projects/:project_id/persons/:id/',
    query: format,
    body: properties,
    status: 200,
    returns: one(person),
  },
  delete: {
    method: 'DELETE',
    path: '/api/projects/:project_id/persons/:id/',
    query: { delete_events: boolean, ...format },
    status: 204,
    returns: nothing,
  },
  activity: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/:id/activity/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  deleteProperty: {
    method: 'POST',
    path: '/api/projects/:project_id/persons/:id/delete_property/',
    query: { $unset: text, ...format },
    body: properties,
    status: 200,
    returns: one(person),
  },
  propertiesTimeline: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/:id/properties_timeline/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  split: {
    method: 'POST',
    path: '/api/projects/:project_id/persons/:id/split/',
    query: format,
    body: properties,
    status: 200,
    returns: undocumented,
  },
  updateProperty: {
    method: 'POST',
    path: '/api/projects/:project_id/persons/:id/update_property/',
    query: { key: text, value: json, ...format },
    body: properties,
    status: 200,
    returns: one(person),
  },
  allActivity: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/activity/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  cohorts: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/cohorts/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  funnel: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/funnel/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  funnelPost: {
    method: 'POST',
    path: '/api/projects/:project_id/persons/funnel/',
    query: format,
    body: properties,
    status: 200,
    returns: undocumented,
  },
  funnelCorrelation: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/funnel/correlation/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  funnelCorrelationPost: {
    method: 'POST',
    path: '/api/projects/:project_id/persons/funnel/correlation/',
    query: format,
    body: properties,
    status: 200,
    returns: undocumented,
  },
  lifecycle: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/lifecycle/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  path: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/path/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  pathPost: {
    method: 'POST',
    path: '/api/projects/:project_id/persons/path/',
    query: format,
    body: properties,
    status: 200,
    returns: undocumented,
  },
  retention: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/retention/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  stickiness: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/stickiness/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  trends: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/trends/',
    query: format,
    status: 200,
    returns: undocumented,
  },
  values: {
    method: 'GET',
    path: '/api/projects/:project_id/persons/values/',
    query: format,
    status: 200,
    returns: undocumented,
  },
} as const satisfies Endpoints

const pluginBody = writableOf(plugin)

export const plugins = {
  list: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/',
    query: paging,
    status: 200,
    returns: pageOf(plugin),
  },
  create: {
    method: 'POST',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/',
    body: pluginBody,
    status: 201,
    returns: one(plugin),
  },
  get: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/:id/',
    status: 200,
    returns: one(plugin),
  },
  update: {
    method: 'PATCH',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/:id/',
    body: pluginBody,
    status: 200,
    returns: one(plugin),
  },
  delete: {
    method: 'DELETE',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/:id/',
    status: 204,
    returns: nothing,
  },
  checkForUpdates: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/:id/check_for_updates/',
    status: 200,
    returns: one(plugin),
  },
  source: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/:id/source/',
    status: 200,
    returns: one(plugin),
  },
  updateSource: {
    method: 'PATCH',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/:id/update_source/',
    body: pluginBody,
    status: 200,
    returns: one(plugin),
  },
  upgrade: {
    method: 'POST',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/:id/upgrade/',
    body: pluginBody,
    status: 200,
    returns: one(plugin),
  },
  activity: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/activity/',
    status: 200,
    returns: one(plugin),
  },
  exportsUnsubscribeConfigs: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/exports_unsubscribe_configs/',
    status: 200,
    returns: one(plugin),
  },
  repository: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/repository/',
    status: 200,
    returns: one(plugin),
  },
  unused: {
    method: 'GET',
    path: '/api/organizations/:parent_lookup_organization_id/plugins/unused/',
    status: 200,
    returns: one(plugin),
  },
} as const satisfies Endpoints

export const eventDefinitions = {
  list: {
    method: 'GET',
    path: '/api/projects/:project_id/event_definitions/',
    query: paging,
    status: 200,
    returns: pageOf(eventDefinition),
  },
  get: {
    method: 'GET',
    path: '/api/projects/:project_id/event_definitions/:id/',
    status: 200,
    returns: one(eventDefinition),
  },
  update: {
    method: 'PATCH',
    path: '/api/projects/:project_id/event_definitions/:id/',
    body: writableOf(eventDefinition),
    status: 200,
    returns: one(eventDefinition),
  },
  delete: {
    method: 'DELETE',
    path: '/api/projects/:project_id/event_definitions/:id/',
    status: 204,
    returns: nothing,
  },
} as const satisfies Endpoints

export const projects = {
  list: { method: 'GET', path: '/api/projects/', query: paging, status: 200, returns: pageOf(projectListItem) },
  create: { method: 'POST', path: '/api/projects/', body: writableOf(project), status: 201, returns: one(project) },
  get: { method: 'GET', path: '/api/projects/:id/', status: 200, returns: one(project) },
  update: {
    method: 'PATCH',
    path: '/api/projects/:id/',
    body: writableOf(project),
    status: 200,
    returns: one(project),
  },
  delete: { method: 'DELETE', path: '/api/projects/:id/', status: 204, returns: nothing },
} as const satisfies Endpoints

export const endpoints = { persons, plugins, eventDefinitions, projects }
