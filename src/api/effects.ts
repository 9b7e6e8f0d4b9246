/** What each request does to the service, as seen on real servers: the document does not say it. */
import type { Effect } from '../http/message.ts'
import { type Endpoint, endpoints, persons, plugins } from './endpoints.ts'

const views: ReadonlySet<Endpoint> = new Set([persons.funnelPost, persons.funnelCorrelationPost, persons.pathPost])

const sets: ReadonlySet<Endpoint> = new Set([persons.updateProperty, persons.deleteProperty])

const rows: readonly Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

const parameters = (row: Endpoint) => row.path.split('/:').length

/** Literal segments come first: `persons/funnel/` is not a person named "funnel". */
const templates = rows.toSorted((a, b) => parameters(a) - parameters(b)).map(row => ({ row, own: row.path.split('/') }))

type Destruction = 'object' | 'data' | 'unknown'

interface RequestEffect {
  readonly effect: Effect
  readonly destroys: boolean
  readonly isDocumented: boolean
}

export function effectOf(endpoint: Endpoint, body: unknown): RequestEffect {
  return { effect: rowEffect(endpoint), destroys: rowDestruction(endpoint, body) !== undefined, isDocumented: true }
}

/** A request without a row is judged by its method: GET reads, DELETE may be repeated, others may not. */
export function rawEffectOf(method: string, path: string, body: unknown): RequestEffect {
  const row = endpointOf(method, path)
  if (row) return effectOf(row, body)
  return {
    effect: method === 'GET' || method === 'HEAD' ? 'read' : method === 'DELETE' ? 'set' : 'act',
    destroys: destructionOf(method, path, body) !== undefined,
    isDocumented: false,
  }
}

export function destructionOf(method: string, path: string, body: unknown): Destruction | undefined {
  const row = endpointOf(method, path)
  if (row) return rowDestruction(row, body)
  if (method === 'GET' || method === 'HEAD') return undefined
  if (method === 'DELETE') return 'object'
  return method === 'POST' || isPathOfRow(path) ? 'unknown' : undefined
}

/** Servers may take other methods there than the document has, and a format as in `split.json`. */
function isPathOfRow(path: string): boolean {
  const segments = segmentsOf(path)
  const bare = segments.map((one, i) => (i < segments.length - 2 ? one : one.replace(/\.\w+$/, '')))
  return templates.some(({ own }) => fits(own, segments) || fits(own, bare))
}

export function endpointOf(method: string, path: string): Endpoint | undefined {
  const segments = segmentsOf(path)
  return templates.find(({ row, own }) => row.method === method && fits(own, segments))?.row
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').map(decodeSegment)
}

function fits(own: readonly string[], segments: readonly string[]): boolean {
  return (
    own.length === segments.length &&
    own.every((one, i) => (one.startsWith(':') ? segments[i] !== '' : one === segments[i]))
  )
}

/** Servers accept `%73plit` for `split`. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function rowEffect(endpoint: Endpoint): Effect {
  if (endpoint.method === 'GET' || views.has(endpoint)) return 'read'
  return endpoint.method === 'POST' && !sets.has(endpoint) ? 'act' : 'set'
}

function rowDestruction(endpoint: Endpoint, body: unknown): Destruction | undefined {
  if (endpoint.method === 'DELETE') return 'object'
  if (endpoint === persons.deleteProperty || endpoint === persons.split) return 'data'
  if (endpoint !== plugins.updateSource || typeof body !== 'object' || body === null) return undefined
  return Object.values(body).includes(null) ? 'data' : undefined
}
