/**
 * What each request does to the service. These facts are not in the service's document, so they are not in the rows of
 * the endpoints; the source is how servers behave.
 */
import type { Effect } from '../http/message.ts'
import { type Endpoint, endpoints, persons, plugins } from './endpoints.ts'

/** POSTs that only read: their body is the question. */
const views: ReadonlySet<Endpoint> = new Set([persons.funnelPost, persons.funnelCorrelationPost, persons.pathPost])

/** POSTs that can be sent twice with the same end. */
const sets: ReadonlySet<Endpoint> = new Set([persons.updateProperty, persons.deleteProperty])

const rows: readonly Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

/**
 * What a request takes away for good: a whole object (DELETE), data within one (`delete_property`, `split`, a file of a
 * plugin's source), or something unknown, by a POST that no row knows. Undefined: nothing.
 */
export type Destruction = 'object' | 'data' | 'unknown'

export interface RequestEffect {
  readonly effect: Effect
  /** Whether safety level `no-delete` refuses it. */
  readonly destroys: boolean
}

/** The effect of a row, given the body that would be sent. */
export function effectOf(endpoint: Endpoint, body: unknown): RequestEffect {
  return { effect: rowEffect(endpoint), destroys: rowDestruction(endpoint, body) !== undefined }
}

/**
 * The same for a request that names no row. A path that no row has is judged by its method alone: GET reads, DELETE may
 * be repeated, anything else may not.
 */
export function rawEffectOf(method: string, path: string, body: unknown): RequestEffect {
  const row = endpointOf(method, path)
  if (row) return effectOf(row, body)
  return {
    effect: method === 'GET' || method === 'HEAD' ? 'read' : method === 'DELETE' ? 'set' : 'act',
    destroys: destructionOf(method, path, body) !== undefined,
  }
}

/** What a request destroys; `path` is relative to the base URL. */
export function destructionOf(method: string, path: string, body: unknown): Destruction | undefined {
  const row = endpointOf(method, path)
  if (row) return rowDestruction(row, body)
  return method === 'DELETE' ? 'object' : method === 'POST' ? 'unknown' : undefined
}

/** The row that answers a method and a path relative to the base URL; undefined when there is none. */
export function endpointOf(method: string, path: string): Endpoint | undefined {
  const segments = path.split('/')
  const fits = (row: Endpoint) => {
    const own = row.path.split('/')
    return (
      row.method === method &&
      own.length === segments.length &&
      own.every((one, i) => (one.startsWith(':') ? segments[i] !== '' : one === decode(segments[i] ?? '')))
    )
  }
  // Literal segments win over parameters: `persons/funnel/` is not the person "funnel".
  return rows.filter(fits).sort((a, b) => parameters(a) - parameters(b))[0]
}

/** Servers take `%73plit` for `split`. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const parameters = (row: Endpoint) => row.path.split('/:').length

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
