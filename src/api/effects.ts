/**
 * What each request does to the service. Facts that the endpoint rows do not hold, because the service's document does
 * not say them either: they were learned from how servers behave.
 */
import type { Effect } from '../http/message.ts'
import { type Endpoint, endpoints, persons, plugins } from './endpoints.ts'

/** POSTs that only read: a body is how they take their question. */
const views: ReadonlySet<Endpoint> = new Set([persons.funnelPost, persons.funnelCorrelationPost, persons.pathPost])

/** POSTs that can be sent twice with the same end. */
const sets: ReadonlySet<Endpoint> = new Set([persons.updateProperty, persons.deleteProperty])

/** Beside DELETE: what takes data away for good. `updateSource` does so where the body holds a null. */
const destroying: ReadonlySet<Endpoint> = new Set([persons.deleteProperty, persons.split])

const rows: readonly Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

export interface Doing {
  readonly effect: Effect
  readonly destroys: boolean
}

/** What a row does, given the body that would be sent. */
export function doing(endpoint: Endpoint, body: unknown): Doing {
  return { effect: effectOf(endpoint), destroys: destroys(endpoint, body) }
}

/**
 * The same for a request that names no row. A path that no row has is judged by its method alone:
 * a GET reads, a DELETE destroys, anything else is an act.
 */
export function doingOf(method: string, path: string, body: unknown): Doing {
  const row = rowOf(method, path)
  if (row) return doing(row, body)
  return {
    effect: method === 'GET' || method === 'HEAD' ? 'read' : method === 'DELETE' ? 'set' : 'act',
    destroys: method === 'DELETE',
  }
}

/** The row that answers a method and a path relative to the base URL; undefined when there is none. */
export function rowOf(method: string, path: string): Endpoint | undefined {
  const segments = path.split('/')
  const fits = (row: Endpoint) => {
    const own = row.path.split('/')
    return (
      row.method === method &&
      own.length === segments.length &&
      own.every((one, i) => (one.startsWith(':') ? segments[i] !== '' : one === decoded(segments[i] ?? '')))
    )
  }
  // Literal segments win over parameters: `persons/funnel/` is not the person "funnel".
  return rows.filter(fits).sort((a, b) => parameters(a) - parameters(b))[0]
}

/** Servers take `%73plit` for `split`. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const parameters = (row: Endpoint) => row.path.split('/:').length

function effectOf(endpoint: Endpoint): Effect {
  if (endpoint.method === 'GET' || views.has(endpoint)) return 'read'
  return endpoint.method === 'POST' && !sets.has(endpoint) ? 'act' : 'set'
}

function destroys(endpoint: Endpoint, body: unknown): boolean {
  if (endpoint.method === 'DELETE' || destroying.has(endpoint)) return true
  return (
    endpoint === plugins.updateSource && typeof body === 'object' && body !== null && Object.values(body).includes(null)
  )
}
