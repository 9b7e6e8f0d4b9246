/** Effects of requests, observed on real servers since the document does not tell them. */
import { UsageError } from '../errors.ts'
import type { Effect } from '../http/message.ts'
import { isObject } from '../json/exact.ts'
import { type Endpoint, endpoints, newer, persons, plugins } from './endpoints.ts'
import { idInPath } from './path.ts'
import type { Resource } from './resources.ts'

const views: ReadonlySet<Endpoint> = new Set([persons.funnelPost, persons.funnelCorrelationPost, persons.pathPost])

const sets: ReadonlySet<Endpoint> = new Set([persons.updateProperty, persons.deleteProperty, newer.bulkDelete])

const rows: readonly Endpoint[] = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

const parameterCount = (row: Endpoint) => row.path.split('/:').length

const templateOf = (row: Endpoint) => ({ row, own: row.path.split('/') })

/** Literal segments first: `persons/funnel/` is not a person named "funnel". */
const templates = rows.toSorted((a, b) => parameterCount(a) - parameterCount(b)).map(templateOf)

const newerTemplates = Object.values<Endpoint>(newer).map(templateOf)

interface RequestEffect {
  readonly effect: Effect
  readonly destroys: boolean
}

export function effectOf(endpoint: Endpoint, body: unknown): RequestEffect {
  return { effect: rowEffect(endpoint), destroys: removalBy(endpoint, body) !== undefined }
}

/** What is not documented is judged by its method: GET reads, and everything else may delete. */
export function rawEffectOf(method: string, path: string, body: unknown): RequestEffect {
  const row = documentedRequest(method, path)
  if (row) return effectOf(row, body)
  if (method === 'GET') return { effect: 'read', destroys: false }
  return { effect: method === 'DELETE' ? 'set' : 'act', destroys: true }
}

/** An endpoint of the document, if what stands in the place of an id is one. */
export function documentedRequest(method: string, path: string): Endpoint | undefined {
  const row = rowAt(templates, method, path)
  return row?.path.includes('/:id/') && !oneId.test(idInPath(path, row)) ? undefined : row
}

/** A number, a UUID, `@current`, or a placeholder as in `{project}`. */
const oneId = /^([1-9]\d*|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|@current|\{\w+\})$/i

/** A request deletes objects, a property of a person, files of a plugin, or the distinct ids that a split gives away. */
type Removal = 'objects' | 'property' | 'files' | 'distinct ids'

export function removalBy(row: Endpoint, body: unknown): Removal | undefined {
  if (rowEffect(row) === 'read') return undefined
  const { deleted = false, ...members } = isObject(body) ? body : {}
  if (row.method === 'DELETE' || row === newer.bulkDelete || !(deleted === false || deleted === 'false')) {
    return 'objects'
  }
  if (row === persons.deleteProperty) return 'property'
  if (row === persons.split) return 'distinct ids'
  return row === plugins.updateSource && Object.values(members).includes(null) ? 'files' : undefined
}

/** Servers look only whether these are there: `delete_events=false` deletes the events. */
const switches = ['delete_events', 'keep_person', 'delete_recordings']

/** For what a person typed. Throws `UsageError` for a parameter that does something else than it says. */
export function refuseTraps(params: readonly (readonly [string, string])[], body: unknown): void {
  for (const [name, value] of [...params, ...Object.entries(isObject(body) ? body : {})]) {
    if (name.toLowerCase() === '_method') {
      throw new UsageError(`${name} overrides the method`, { hint: 'Use analytics api METHOD instead' })
    }
    if (!switches.includes(name) || value === 'true' || value === true) continue
    throw new UsageError(`Servers take any value of ${name} for true`, { hint: `Leave it out, or give ${name}=true` })
  }
}

/** An endpoint of the document, or of newer servers. */
export function knownEndpointOf(method: string, path: string): Endpoint | undefined {
  return rowAt(templates, method, path) ?? rowAt(newerTemplates, method, path)
}

function rowAt(among: typeof templates, method: string, path: string): Endpoint | undefined {
  const segments = path.split('/').map(decodeSegment)
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
  return { id: idInPath(path, row), resource: returns.of }
}

export function fits(own: readonly string[], segments: readonly string[]): boolean {
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
