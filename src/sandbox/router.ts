/** Finds the handler of a request, and checks what all handlers need: key, project, body, format. */
import { type Endpoint, endpoints, newer, parameterIn, rowsAt } from '../api/endpoints.ts'
import { UnavailableError } from '../errors.ts'
import { decode, decodeValid, isObject, type Json, type JsonObject, textOf } from '../json/exact.ts'
import { csvText } from '../output/csv.ts'
import {
  type Call,
  found,
  type Handler,
  invalid,
  notFound,
  type Reply,
  ReplyError,
  refused,
  type SandboxRequest,
  waitReply,
} from './call.ts'
import { newerHandlers } from './deletions.ts'
import { eventDefinitionHandlers } from './event-definitions.ts'
import { personHandlers } from './persons.ts'
import { pluginHandlers } from './plugins.ts'
import { findProject, organization, projectHandlers } from './projects.ts'
import type { Store } from './store.ts'
import { viewHandlers } from './views.ts'

type Routes = ReadonlyMap<Endpoint, Handler>

const documented: Routes = new Map([
  ...routesOf(endpoints.persons, { ...personHandlers, ...viewHandlers }),
  ...routesOf(endpoints.plugins, pluginHandlers),
  ...routesOf(endpoints.eventDefinitions, eventDefinitionHandlers),
  ...routesOf(endpoints.projects, projectHandlers),
])
const observed: Routes = new Map([...documented, ...routesOf(newer, newerHandlers)])

/** A missing handler is a compile error. */
function routesOf<Name extends string>(
  rows: Readonly<Record<Name, Endpoint>>,
  handlers: Readonly<Record<NoInfer<Name>, Handler>>,
): [Endpoint, Handler][] {
  return (Object.keys(rows) as Name[]).map(name => [rows[name], handlers[name]])
}

type Routing = Pick<Call, 'store' | 'isObserved' | 'now'>

export function route(request: SandboxRequest, key: string, { store, isObserved, now }: Routing): Reply {
  const { method, url, headers } = request
  try {
    const { row, handle } = routeOf(method, url.pathname, isObserved ? observed : documented)
    const parameter = (name: string) => parameterIn(url.pathname, row, name)
    if (headers.authorization !== `Bearer ${key}`) {
      throw refused(401, 'authentication_failed', 'The personal API key is missing or invalid.')
    }
    const query = new Map(url.searchParams)
    const format = row.path.includes('/persons/') ? query.get('format') : undefined
    if (format !== undefined && format !== 'csv' && format !== 'json') throw invalid('format', 'Must be csv or json.')
    const body = method === 'POST' || method === 'PATCH' ? objectIn(request.body) : {}
    const work = () => {
      const scopeId = scopeOf(store, parameter('project_id'), parameter('parent_lookup_organization_id'))
      return handle({ store, isObserved, now, url, query, body, id: parameter('id'), scopeId })
    }
    const isWrite = method !== 'GET' || row === newer.deletionStatus
    const reply = isWrite ? store.database.write(work) : store.database.read(work)
    return format === 'csv' && reply.body !== '' ? csvOf(reply) : reply
  } catch (error) {
    if (error instanceof ReplyError) return error.reply
    if (error instanceof UnavailableError) return waitReply(503, 'busy', error.message, 1)
    throw error
  }
}

function routeOf(method: string, path: string, routes: Routes) {
  const here = rowsAt(path, [...routes.keys()])
  if (here.length === 0) throw notFound('Endpoint not found.')
  const row = here.find(one => one.method === method)
  const handle = row && routes.get(row)
  if (!handle) throw refused(405, 'method_not_allowed', `Method "${method}" not allowed.`)
  return { row, handle }
}

function objectIn(body = ''): JsonObject<Json> {
  if (body.trim() === '') return {}
  const value = decodeValid(body)
  if (isObject(value)) return value
  throw invalid(null, 'The body is not a JSON object.', value === undefined ? 'parse_error' : 'invalid_input')
}

function scopeOf(store: Store, project: string, inOrganization: string): string {
  if (project !== '') return String(found(findProject(store, project), 'Project not found.').id)
  if (inOrganization === '') return ''
  if (inOrganization === '@current' || inOrganization.toLowerCase() === organization.id) return organization.id
  throw refused(403, 'permission_denied', "You don't have access to the organization.")
}

function csvOf(reply: Reply): Reply {
  const value = decode(reply.body)
  const list = isObject(value) ? (value.results ?? value.result ?? value) : value
  const isRow = (one: Json): one is JsonObject<Json> => isObject(one)
  const rows = (Array.isArray(list) ? list : [list]).filter(isRow)
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const lines = [columns, ...rows.map(row => columns.map(column => textOf(row[column] ?? '')))]
  return { ...reply, headers: { 'content-type': 'text/csv; charset=utf-8' }, body: csvText(lines) }
}
