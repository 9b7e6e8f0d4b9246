/** Finds the handler of a request, and checks what all handlers need: key, project, body, format. */
import { type Endpoint, endpoints, newer } from '../api/endpoints.ts'
import { fits } from '../api/path.ts'
import { decode, isObject, type Json, type JsonObject } from '../json/exact.ts'
import { Malformed } from '../json/tokens.ts'
import { percentDecoded } from '../values/url.ts'
import {
  type Call,
  type Handler,
  invalid,
  notFound,
  type Reply,
  ReplyError,
  refused,
  type SandboxRequest,
} from './call.ts'
import { newerHandlers } from './deletions.ts'
import { eventDefinitionHandlers } from './event-definitions.ts'
import { csvOf } from './pages.ts'
import { personHandlers } from './persons.ts'
import { pluginHandlers } from './plugins.ts'
import { findProject, organization, projectHandlers } from './projects.ts'
import type { Store } from './store.ts'
import { viewHandlers } from './views.ts'

interface Route {
  readonly method: string
  readonly segments: readonly string[]
  readonly ids: number
  readonly handle: Handler
  readonly writes: boolean
}

const routes: readonly Route[] = [
  ...routesOf(endpoints.persons, { ...personHandlers, ...viewHandlers }),
  ...routesOf(endpoints.plugins, pluginHandlers),
  ...routesOf(endpoints.eventDefinitions, eventDefinitionHandlers),
  ...routesOf(endpoints.projects, projectHandlers),
]
const newerRoutes = routesOf(newer, newerHandlers)

/** A missing handler is a compile error. */
function routesOf<Name extends string>(
  rows: Readonly<Record<Name, Endpoint>>,
  handlers: Readonly<Record<NoInfer<Name>, Handler>>,
): Route[] {
  const names = Object.keys(rows) as Name[]
  return names.map(name => {
    const { method, path } = rows[name]
    const [ids, handle] = [path.split('/:').length, handlers[name]]
    const writes = method !== 'GET' || handle === newerHandlers.deletionStatus
    return { method, segments: path.split('/'), ids, handle, writes }
  })
}

type Routing = Pick<Call, 'store' | 'isObserved' | 'now'>

export function respond(request: SandboxRequest, key: string, { store, isObserved, now }: Routing): Reply {
  const { method, url } = request
  try {
    const segments = url.pathname.split('/').map(percentDecoded)
    const { handle, writes, values } = find(method === 'HEAD' ? 'GET' : method, segments, isObserved)
    authenticate(request.headers, key)
    const query = new Map(url.searchParams)
    const format = segments.includes('persons') ? query.get('format') : undefined
    if (format !== undefined && format !== 'csv' && format !== 'json') throw invalid('format', 'Must be csv or json.')
    const body = method === 'POST' || method === 'PATCH' ? bodyOf(request) : {}
    const work = () => {
      const call: Call = { store, isObserved, now, url, query, body, id: values.get('id') ?? '', scopeId: '' }
      return handle({ ...call, scopeId: placeOf(store, values) })
    }
    const reply = writes ? store.write(work) : store.read(work)
    return format === 'csv' && reply.body !== '' ? csvOf(reply) : reply
  } catch (error) {
    if (error instanceof ReplyError) return error.reply
    throw error
  }
}

function find(method: string, segments: readonly string[], isObserved: boolean) {
  const fitting = [...routes, ...(isObserved ? newerRoutes : [])].filter(route => fits(route.segments, segments))
  // `persons/trends/` is not a person named "trends".
  const fewest = Math.min(...fitting.map(({ ids }) => ids))
  const here = fitting.filter(({ ids }) => ids === fewest)
  if (here.length === 0) throw notFound('Endpoint not found.')
  const route = here.find(one => one.method === method)
  if (!route) {
    const detail = `Method "${method}" not allowed.`
    const headers = { allow: here.map(one => one.method).join(', ') }
    throw refused(405, 'method_not_allowed', detail, { headers })
  }
  const named = route.segments.flatMap((own, i) =>
    own.startsWith(':') ? [[own.slice(1), segments[i] ?? ''] as const] : [],
  )
  return { ...route, values: new Map(named) }
}

function authenticate(headers: SandboxRequest['headers'], key: string): void {
  const given = headers.authorization
  if (given === `Bearer ${key}`) return
  const [code, detail] = given?.startsWith('Bearer ')
    ? ['authentication_failed', 'The personal API key is invalid.']
    : ['not_authenticated', 'Authentication credentials were not provided.']
  throw refused(401, code, detail, { headers: { 'www-authenticate': 'Bearer realm="api"' } })
}

function bodyOf({ headers, body = '' }: SandboxRequest): JsonObject<Json> {
  if (body.trim() === '') return {}
  const type = headers['content-type'] ?? 'application/json'
  if (!/^application\/json\b/i.test(type)) {
    throw refused(415, 'unsupported_media_type', `Unsupported media type "${type}" in request.`)
  }
  try {
    const value = decode(body)
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
    throw refused(400, 'parse_error', `JSON parse error: ${error.reason}`)
  }
  throw invalid(null, 'Invalid data. Expected a dictionary.')
}

function placeOf(store: Store, values: ReadonlyMap<string, string>): string {
  const [project, scopeId] = [values.get('project_id'), values.get('parent_lookup_organization_id')]
  if (project !== undefined) {
    const found = findProject(store, project)
    if (!found) throw notFound('Project not found.')
    return String(found.id)
  }
  if (scopeId === undefined) return ''
  if (scopeId === '@current' || scopeId.toLowerCase() === organization.id) return organization.id
  throw refused(403, 'permission_denied', "You don't have access to the organization.")
}
