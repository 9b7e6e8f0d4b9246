/** Effects of requests, observed on real servers since the document does not tell them. */
import type { Effect } from '../http/message.ts'
import { type Endpoint, endpoints, persons, plugins } from './endpoints.ts'
import { segmentIn } from './path.ts'
import type { Resource } from './resources.ts'

const views: ReadonlySet<Endpoint> = new Set([persons.funnelPost, persons.funnelCorrelationPost, persons.pathPost])

const sets: ReadonlySet<Endpoint> = new Set([persons.updateProperty, persons.deleteProperty])

const rows: readonly Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

const parameters = (row: Endpoint) => row.path.split('/:').length

/** Literal segments first: `persons/funnel/` is not a person named "funnel". */
const templates = rows.toSorted((a, b) => parameters(a) - parameters(b)).map(row => ({ row, own: row.path.split('/') }))

interface RequestEffect {
  readonly effect: Effect
  readonly destroys: boolean
  readonly isDocumented: boolean
}

export function effectOf(endpoint: Endpoint, body: unknown): RequestEffect {
  return { effect: rowEffect(endpoint), destroys: rowDestroys(endpoint, body), isDocumented: true }
}

/** Undocumented requests are judged by method: GET reads, DELETE may be repeated, others may not. */
export function rawEffectOf(method: string, path: string, body: unknown): RequestEffect {
  const row = endpointOf(method, path)
  const removes = removalBy(method, path) !== undefined
  if (row) return { effect: rowEffect(row), destroys: removes || rowDestroys(row, body), isDocumented: true }
  if (method === 'GET' || method === 'HEAD') return { effect: 'read', destroys: false, isDocumented: false }
  if (method === 'DELETE') return { effect: 'set', destroys: true, isDocumented: false }
  return { effect: 'act', destroys: removes || method === 'POST' || destroysAt(path, body), isDocumented: false }
}

/** A request deletes objects, a property of a person, or the distinct ids that a split gives to new persons. */
type Removal = 'objects' | 'property' | 'distinct ids'

/** Looks at the last segment, since servers offer these at more paths and methods than the document says. */
export function removalBy(method: string, path: string): Removal | undefined {
  if (method === 'GET') return undefined
  const last = withoutFormat(fullyDecoded(lastSegment(path)))
  if (method === 'DELETE' || (last !== 'delete_property' && deleting.test(last))) return 'objects'
  if (last === 'delete_property') return 'property'
  return last === 'split' ? 'distinct ids' : undefined
}

/** Infinite where it cannot be known: other requests may delete any number. */
export function deletedBy(method: string, path: string, body: unknown): number {
  const namesOne = oneId.test(decodeSegment(lastSegment(path)))
  const namesNoOthers = body === undefined || endpointOf(method, path) !== undefined
  return method === 'DELETE' && namesOne && namesNoOthers ? 1 : Number.POSITIVE_INFINITY
}

/** A number, a UUID, `@current`, or a placeholder as in `{project}`. */
const oneId = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|@\w+|\{\w+\})$/i

function lastSegment(path: string): string {
  return path.split('/').findLast(segment => segment !== '') ?? ''
}

/** Some servers decode twice, or cut a segment at `;`. */
function fullyDecoded(segment: string): string {
  const decoded = decodeSegment(segment).replace(/;.*/s, '')
  return decoded === segment ? segment : fullyDecoded(decoded)
}

const deleting = /(^|[_-])(delete|destroy|erase|purge|remove|wipe)([_-]|$)/i

function destroysAt(path: string, body: unknown): boolean {
  return writingRowsAt(path).some(row => rowDestroys(row, body))
}

/** Servers may accept PUT for POST or PATCH, and a format as in `split.json`. */
function writingRowsAt(path: string): readonly Endpoint[] {
  const segments = segmentsOf(path)
  const bare = segments.map((one, i) => (i < segments.length - 2 ? one : withoutFormat(one)))
  const isThere = (own: readonly string[]) => fits(own, segments) || fits(own, bare)
  return templates.flatMap(({ row, own }) => (row.method !== 'DELETE' && isThere(own) ? [row] : []))
}

function withoutFormat(segment: string): string {
  return segment.replace(/\.\w+$/, '')
}

export function endpointOf(method: string, path: string): Endpoint | undefined {
  const segments = segmentsOf(path)
  return templates.find(({ row, own }) => row.method === method && fits(own, segments))?.row
}

export interface NamedRecord {
  readonly id: string
  readonly resource: Resource
}

export function recordNamedBy(method: string, path: string): NamedRecord | undefined {
  const row = endpointOf(method, path)
  const [own] = row?.path.match(/^.*\/:id\//) ?? []
  const returns = own && rows.find(one => one.method === 'GET' && one.path === own)?.returns
  if (!row || !returns || !('of' in returns)) return undefined
  return { id: segmentIn(path, row, 'id'), resource: returns.of }
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

function rowDestroys(endpoint: Endpoint, body: unknown): boolean {
  if (endpoint.method === 'DELETE' || endpoint === persons.deleteProperty || endpoint === persons.split) return true
  const isSource = endpoint === plugins.updateSource && typeof body === 'object' && body !== null
  return isSource && Object.values(body).includes(null)
}
