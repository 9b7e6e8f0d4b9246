/** Effects of requests, observed on real servers since the document does not tell them. */
import type { Effect } from '../http/message.ts'
import { isObject } from '../json/exact.ts'
import { type Endpoint, endpoints, newer, persons } from './endpoints.ts'
import { segmentIn } from './path.ts'
import type { Resource } from './resources.ts'

const views: ReadonlySet<Endpoint> = new Set([persons.funnelPost, persons.funnelCorrelationPost, persons.pathPost])

const sets: ReadonlySet<Endpoint> = new Set([persons.updateProperty, persons.deleteProperty, newer.bulkDelete])

const rows: readonly Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

const parameters = (row: Endpoint) => row.path.split('/:').length

const templateOf = (row: Endpoint) => ({ row, own: row.path.split('/') })

/** Literal segments first: `persons/funnel/` is not a person named "funnel". */
const templates = rows.toSorted((a, b) => parameters(a) - parameters(b)).map(templateOf)

const newerTemplates = Object.values<Endpoint>(newer).map(templateOf)

interface RequestEffect {
  readonly effect: Effect
  readonly destroys: boolean
  readonly isDocumented: boolean
}

export function effectOf(endpoint: Endpoint, body: unknown): RequestEffect {
  const destroys = removalBy(endpoint.method, endpoint.path, body) !== undefined
  return { effect: rowEffect(endpoint), destroys, isDocumented: true }
}

/** Undocumented requests are judged by method: GET reads, DELETE may be repeated, others may not; a POST may delete. */
export function rawEffectOf(method: string, path: string, body: unknown): RequestEffect {
  const row = endpointOf(method, path)
  if (method === 'GET' || method === 'HEAD') return { effect: 'read', destroys: false, isDocumented: row !== undefined }
  const destroys = removalBy(method, path, body) !== undefined
  if (row) return { effect: rowEffect(row), destroys, isDocumented: true }
  return { effect: method === 'DELETE' ? 'set' : 'act', destroys: destroys || method === 'POST', isDocumented: false }
}

/** A request deletes objects, a property of a person, files of a plugin, or the distinct ids that a split gives away. */
type Removal = 'objects' | 'property' | 'files' | 'distinct ids'

/** Looks at the last word, since servers offer these at more paths and methods than the document says. */
export function removalBy(method: string, path: string, body: unknown): Removal | undefined {
  if (method === 'GET') return undefined
  const last = lastWord(path)
  const { deleted = false, ...members } = isObject(body) ? body : {}
  if (method === 'DELETE' || !(deleted === false || deleted === 'false')) return 'objects'
  if (last === 'delete_property') return 'property'
  if (last === 'split') return 'distinct ids'
  if (last === 'update_source') return Object.values(members).includes(null) ? 'files' : undefined
  return removing.test(last) ? 'objects' : undefined
}

const removing = /delet|destroy|eras|purg|remov|wip/i

interface RawWrite {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/**
 * The most objects that a request may delete, infinite where that cannot be known; 0 if it removes something else,
 * undefined if nothing. A POST that no row knows deletes what its sender says with `max`.
 */
export function mostDeleted({ method, path, body }: RawWrite, max: number | undefined): number | undefined {
  const removal = removalBy(method, path, body)
  if (method === 'POST' && !endpointOf(method, path)) {
    if (max !== 0) return max ?? Number.POSITIVE_INFINITY
    if (removal === 'objects') return Number.POSITIVE_INFINITY
  }
  if (removal !== 'objects') return removal === 'property' ? 0 : undefined
  const namesOthers = method === 'DELETE' && body !== undefined && !endpointOf(method, path)
  return oneId.test(decodeSegment(lastSegment(path))) && !namesOthers ? 1 : Number.POSITIVE_INFINITY
}

/** A number, a UUID, `@current`, or a placeholder as in `{project}`. */
const oneId = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|@\w+|\{\w+\})$/i

/** As servers may read it: some decode twice, cut a segment at `;`, take a format as in `split.json`, or capitals. */
function lastWord(path: string): string {
  return fullyDecoded(lastSegment(path))
    .replace(/\.\w+$/, '')
    .toLowerCase()
}

function lastSegment(path: string): string {
  return path.split('/').findLast(segment => segment !== '') ?? ''
}

function fullyDecoded(segment: string): string {
  const decoded = decodeSegment(segment).replace(/;.*/s, '')
  return decoded === segment ? segment : fullyDecoded(decoded)
}

/** An endpoint of the service's document. */
export function endpointOf(method: string, path: string): Endpoint | undefined {
  return rowAt(templates, method, path)
}

/** An endpoint of the document, or of newer servers. */
export function knownEndpointOf(method: string, path: string): Endpoint | undefined {
  return rowAt(templates, method, path) ?? rowAt(newerTemplates, method, path)
}

function rowAt(among: typeof templates, method: string, path: string): Endpoint | undefined {
  const segments = segmentsOf(path)
  return among.find(({ row, own }) => row.method === method && fits(own, segments))?.row
}

export interface NamedRecord {
  readonly id: string
  readonly resource: Resource
}

export function recordNamedBy(row: Endpoint, path: string): NamedRecord | undefined {
  const [own] = row.path.match(/^.*\/:id\//) ?? []
  const returns = own && rows.find(one => one.method === 'GET' && one.path === own)?.returns
  if (!returns || !('of' in returns)) return undefined
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
