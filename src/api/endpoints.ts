/** The 44 endpoints in the order of the service's document, and what each does on real servers. */
import type { Request } from '../http/message.ts'
import { json, type Kind, text } from '../values/kinds.ts'
import { listOf } from '../values/lists.ts'
import { percentDecoded } from '../values/url.ts'
import { eventDefinition, person, plugin, project, projectListItem, type Resource, writableOf } from './resources.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type Kinds = Readonly<Record<string, Kind<unknown>>>

export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly effect: Request['effect']
  /** It deletes an object, a property of a person, or the distinct ids that a split gives away. */
  readonly destroys: boolean
  readonly body?: Kinds
  /** The response is a record of this resource, or a page of them. For the endpoints without it, servers have a shape for each. */
  readonly of?: Resource
}

type Special = Partial<Omit<Endpoint, 'method' | 'path'>>
type Endpoints = Readonly<Record<string, Endpoint>>

const effects: Readonly<Record<Method, Request['effect']>> = { GET: 'read', POST: 'act', PATCH: 'set', DELETE: 'set' }

function row<const M extends Method, const P extends string, const S extends Special>(method: M, path: P, special: S) {
  return { method, path, effect: effects[method], destroys: method === 'DELETE', ...special }
}

const inProject = '/api/projects/:project_id'
const inOrganization = '/api/organizations/:parent_lookup_organization_id'

const properties = { properties: json }
const postView = { body: properties, effect: 'read' } as const

export const persons = {
  list: row('GET', `${inProject}/persons/`, { of: person }),
  get: row('GET', `${inProject}/persons/:id/`, { of: person }),
  update: row('PATCH', `${inProject}/persons/:id/`, { of: person, body: properties }),
  delete: row('DELETE', `${inProject}/persons/:id/`, {}),
  activity: row('GET', `${inProject}/persons/:id/activity/`, {}),
  deleteProperty: row('POST', `${inProject}/persons/:id/delete_property/`, {
    of: person,
    body: properties,
    effect: 'set',
    destroys: true,
  }),
  propertiesTimeline: row('GET', `${inProject}/persons/:id/properties_timeline/`, {}),
  split: row('POST', `${inProject}/persons/:id/split/`, { of: person, body: properties, destroys: true }),
  updateProperty: row('POST', `${inProject}/persons/:id/update_property/`, {
    of: person,
    body: properties,
    effect: 'set',
  }),
  allActivity: row('GET', `${inProject}/persons/activity/`, {}),
  cohorts: row('GET', `${inProject}/persons/cohorts/`, {}),
  funnel: row('GET', `${inProject}/persons/funnel/`, {}),
  funnelPost: row('POST', `${inProject}/persons/funnel/`, postView),
  funnelCorrelation: row('GET', `${inProject}/persons/funnel/correlation/`, {}),
  funnelCorrelationPost: row('POST', `${inProject}/persons/funnel/correlation/`, postView),
  lifecycle: row('GET', `${inProject}/persons/lifecycle/`, {}),
  path: row('GET', `${inProject}/persons/path/`, {}),
  pathPost: row('POST', `${inProject}/persons/path/`, postView),
  retention: row('GET', `${inProject}/persons/retention/`, {}),
  stickiness: row('GET', `${inProject}/persons/stickiness/`, {}),
  trends: row('GET', `${inProject}/persons/trends/`, {}),
  values: row('GET', `${inProject}/persons/values/`, {}),
} satisfies Endpoints

const withPlugin = { of: plugin, body: writableOf(plugin) }

export const plugins = {
  list: row('GET', `${inOrganization}/plugins/`, { of: plugin }),
  create: row('POST', `${inOrganization}/plugins/`, withPlugin),
  get: row('GET', `${inOrganization}/plugins/:id/`, { of: plugin }),
  update: row('PATCH', `${inOrganization}/plugins/:id/`, withPlugin),
  delete: row('DELETE', `${inOrganization}/plugins/:id/`, {}),
  checkForUpdates: row('GET', `${inOrganization}/plugins/:id/check_for_updates/`, {}),
  source: row('GET', `${inOrganization}/plugins/:id/source/`, {}),
  updateSource: row('PATCH', `${inOrganization}/plugins/:id/update_source/`, withPlugin),
  upgrade: row('POST', `${inOrganization}/plugins/:id/upgrade/`, withPlugin),
  activity: row('GET', `${inOrganization}/plugins/activity/`, {}),
  exportsUnsubscribeConfigs: row('GET', `${inOrganization}/plugins/exports_unsubscribe_configs/`, {}),
  repository: row('GET', `${inOrganization}/plugins/repository/`, {}),
  unused: row('GET', `${inOrganization}/plugins/unused/`, {}),
} satisfies Endpoints

const withDefinition = { of: eventDefinition, body: writableOf(eventDefinition) }

export const eventDefinitions = {
  list: row('GET', `${inProject}/event_definitions/`, { of: eventDefinition }),
  get: row('GET', `${inProject}/event_definitions/:id/`, { of: eventDefinition }),
  update: row('PATCH', `${inProject}/event_definitions/:id/`, withDefinition),
  delete: row('DELETE', `${inProject}/event_definitions/:id/`, {}),
} satisfies Endpoints

const withProject = { of: project, body: writableOf(project) }

export const projects = {
  list: row('GET', '/api/projects/', { of: projectListItem }),
  create: row('POST', '/api/projects/', withProject),
  get: row('GET', '/api/projects/:id/', { of: project }),
  update: row('PATCH', '/api/projects/:id/', withProject),
  delete: row('DELETE', '/api/projects/:id/', {}),
} satisfies Endpoints

export const endpoints = { persons, plugins, eventDefinitions, projects }

export const newer = {
  batchByDistinctIds: row('POST', `${inProject}/persons/batch_by_distinct_ids/`, {
    body: { distinct_ids: listOf(text) },
    effect: 'read',
  }),
  bulkDelete: row('POST', `${inProject}/persons/bulk_delete/`, { effect: 'set', destroys: true }),
  deletionStatus: row('GET', `${inProject}/persons/deletion_status/`, {}),
} satisfies Endpoints

const documented = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))
const known: readonly Endpoint[] = [...documented, ...Object.values(newer)]

export function knownEndpointOf(method: string, path: string): Endpoint | undefined {
  // Each response to a write asks for its row, and comparing a method is fast.
  const ofMethod = known.filter(row => row.method === method)
  return rowsAt(path, ofMethod)[0]
}

/** An endpoint of the document, or the lookup of distinct ids, whose id in the path (if any) is valid. */
export function documentedRequest(method: string, path: string): Endpoint | undefined {
  const row = rowsAt(path, [...documented, newer.batchByDistinctIds]).find(one => one.method === method)
  return row?.path.includes('/:id/') && !oneId.test(parameterIn(path, row, 'id')) ? undefined : row
}

/** A number, a UUID, `@current`, or a placeholder as in `{project}`. */
const oneId = /^([1-9]\d*|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|@current|\{\w+\})$/i

/** Literal segments have precedence: `persons/funnel/` is not a person named "funnel". */
export function rowsAt(path: string, rows: readonly Endpoint[]): readonly Endpoint[] {
  // Servers accept `%73plit` for `split`.
  const segments = path.split('/').map(percentDecoded)
  const fitting = rows.filter(row => {
    const own = row.path.split('/')
    const fits = own.every((one, i) => (one.startsWith(':') ? segments[i] !== '' : one === segments[i]))
    return fits && own.length === segments.length
  })
  const parametersOf = (row: Endpoint) => row.path.split('/:').length
  const fewest = Math.min(...fitting.map(parametersOf))
  return fitting.filter(row => parametersOf(row) === fewest)
}

/** Empty if the path has no such parameter. */
export function parameterIn(path: string, row: Endpoint | undefined, name: string): string {
  return percentDecoded((row && path.split('/')[row.path.split('/').indexOf(`:${name}`)]) ?? '')
}
