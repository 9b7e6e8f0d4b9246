import { knownEndpointOf } from '../api/effects.ts'
import { type Endpoint, type Method, newer, persons } from '../api/endpoints.ts'
import { segmentIn } from '../api/path.ts'
import type { Dialect } from '../config/sandbox-variable.ts'
import {
  AnswerError,
  type Asked,
  type Call,
  empty,
  type Handler,
  invalid,
  notFound,
  type Reply,
  refused,
  serverError,
} from './call.ts'
import { csvAnswer } from './csv.ts'
import { handlers } from './handlers/table.ts'
import { writeMembers } from './members.ts'
import { findProject, organization } from './records/projects.ts'
import type { Store } from './store/store.ts'

interface RouterSetup {
  readonly store: Store
  readonly dialect: Dialect
  readonly key: string
}

type Router = (asked: Asked, now: number) => Reply

const methods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE']

export function createRouter(place: RouterSetup): Router {
  function find({ method, url, headers }: Asked): { row: Endpoint; handle: Handler } {
    const rows = rowsAt(url.pathname)
    if (rows.length === 0 || (place.dialect === 'documented' && isNewer(rows))) throw notFound('Endpoint not found.')
    authenticate(headers, place.key)
    const row = rows.find(one => one.method === method)
    const handle = row && handlers.get(row)
    if (!handle) throw notAllowed(method, rows, place.dialect)
    return { row, handle }
  }

  function answer(asked: Asked, now: number): Reply {
    const { row, handle } = find(asked)
    const path = parametersOf(row, asked.url.pathname)
    const query = new Map(asked.url.searchParams)
    // Servers ignore the body of other methods.
    const body = row.method === 'POST' || row.method === 'PATCH' ? bodyText(asked, place.dialect) : ''
    const work = () => {
      const scope = scopeOf(place.store, path)
      return handle({ ...place, now, ...asked, isOfPersons, path, query, body, scope })
    }
    const isOfPersons = row.path.includes('/persons/')
    const format = isOfPersons ? formatOf(query.get('format'), place.dialect) : undefined
    try {
      const reply = row.method === 'GET' ? place.store.read(work) : place.store.write(work)
      return format === 'csv' ? inCsv(reply, row, place.dialect) : reply
    } catch (error) {
      // Servers send errors without a body here.
      if (!(error instanceof AnswerError) || format !== 'csv' || place.dialect === 'documented') throw error
      return { ...error.answer, headers: {}, body: '' }
    }
  }

  return (asked, now) => {
    try {
      const request = withServerPath(asked, place.dialect)
      if (asked.method !== 'HEAD') return answer(request, now)
      return withoutBody(answer({ ...request, method: 'GET' }, now))
    } catch (error) {
      if (error instanceof AnswerError) return error.answer
      throw error
    }
  }
}

/** All rows belong to one path: `persons/trends/` is not a person named "trends". */
function rowsAt(path: string): readonly Endpoint[] {
  const rows = methods.flatMap(method => knownEndpointOf(method, path) ?? [])
  const parameters = ({ path }: Endpoint) => path.split('/:').length
  const fewest = Math.min(...rows.map(parameters))
  return rows.filter(row => parameters(row) === fewest)
}

function isNewer(rows: readonly Endpoint[]): boolean {
  return Object.values<Endpoint>(newer).some(row => rows.includes(row))
}

const noCreate = 'Creating persons via this API is not allowed. Please create persons by sending an $identify event.'

/** OPTIONS returns the allowed methods. */
function notAllowed(method: string, rows: readonly Endpoint[], dialect: Dialect): AnswerError {
  const allowed = rows.map(row => row.method)
  const headers = { allow: [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ') }
  if (method === 'OPTIONS') return new AnswerError({ ...empty(204), headers })
  const isCreate = dialect === 'observed' && method === 'POST' && rows.includes(persons.list)
  const detail = isCreate ? noCreate : `Method "${method}" not allowed.`
  return refused(405, { type: 'invalid_request', code: 'method_not_allowed', detail }, headers)
}

function withoutBody({ body, headers, status }: Reply): Reply {
  return { status, body: '', headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) } }
}

function authenticate(headers: Asked['headers'], key: string): void {
  const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  if (given === `Bearer ${key}`) return
  const [code, detail] = given?.startsWith('Bearer ')
    ? ['authentication_failed', 'The personal API key is invalid.']
    : ['not_authenticated', 'Authentication credentials were not provided.']
  throw refused(401, { type: 'authentication_error', code, detail }, { 'www-authenticate': 'Bearer realm="api"' })
}

function parametersOf(row: Endpoint, pathname: string): Readonly<Record<string, string>> {
  const names = [...row.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  try {
    return Object.fromEntries(names.map(name => [name, segmentIn(pathname, row, name)]))
  } catch {
    // The path contains an invalid percent sign.
    throw notFound()
  }
}

function scopeOf(store: Store, path: Call['path']): string {
  const { project_id: project, parent_lookup_organization_id: place } = path
  if (project !== undefined) {
    const found = findProject(store, project)
    if (!found) throw notFound('Project not found.')
    return found.id
  }
  if (place === undefined || place === '@current' || place.toLowerCase() === organization.id) return organization.id
  const detail = "You don't have access to the organization."
  throw refused(403, { type: 'authentication_error', code: 'permission_denied', detail })
}

/** Servers decode a path before they split it, and accept it without the last slash. */
function withServerPath(asked: Asked, dialect: Dialect): Asked {
  const { pathname } = asked.url
  const ending = dialect === 'observed' && !pathname.endsWith('/') ? '/' : ''
  const decoded = pathname.replace(/%2f/gi, '/') + ending
  if (decoded === pathname) return asked
  const url = new URL(asked.url)
  url.pathname = decoded
  return { ...asked, url }
}

function bodyText({ headers, body = '' }: Asked, dialect: Dialect): string {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  if (body === '' || type === undefined || /^application\/json\b/i.test(type)) return body
  if (dialect === 'observed' && /^application\/x-www-form-urlencoded\b/i.test(type)) return formAsJson(body)
  const detail = `Unsupported media type "${type}" in request.`
  throw refused(415, { type: 'invalid_request', code: 'unsupported_media_type', detail })
}

/** A repeated name becomes a list; JSON objects and lists are parsed, other values are text. */
function formAsJson(body: string): string {
  const form = new URLSearchParams(body)
  const members = [...new Set(form.keys())].map((name): [string, string] => {
    const texts = form.getAll(name).map(text => (isJsonGroup(text) ? text : JSON.stringify(text)))
    return [name, texts.length === 1 ? (texts[0] ?? 'null') : `[${texts.join()}]`]
  })
  return writeMembers(new Map(members))
}

function isJsonGroup(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function formatOf(format: string | undefined, dialect: Dialect): 'csv' | 'json' | undefined {
  if (format === undefined || format === 'csv' || format === 'json') return format
  throw dialect === 'documented' ? invalid('format', 'Must be csv or json.') : notFound()
}

function inCsv(answer: Reply, row: Endpoint, dialect: Dialect): Reply {
  // Servers fail while they format the answer, after the write.
  if (dialect === 'observed' && row.method !== 'GET') return serverError
  return answer.body !== '' ? csvAnswer(answer, dialect) : answer
}
