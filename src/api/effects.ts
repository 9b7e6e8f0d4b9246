/** Effects of requests, observed on real servers since the document does not tell them. */
import { UsageError } from '../errors.ts'
import type { Effect } from '../http/message.ts'
import { isObject } from '../json/exact.ts'
import { type Endpoint, newer, persons, plugins } from './endpoints.ts'
import { documentedRequest } from './path.ts'

const postReads: ReadonlySet<Endpoint> = new Set([
  persons.funnelPost,
  persons.funnelCorrelationPost,
  persons.pathPost,
  newer.batchByDistinctIds,
])

const sets: ReadonlySet<Endpoint> = new Set([persons.updateProperty, persons.deleteProperty, newer.bulkDelete])

interface RequestEffect {
  readonly effect: Effect
  readonly destroys: boolean
}

export function effectOf(endpoint: Endpoint, body: unknown): RequestEffect {
  return { effect: rowEffect(endpoint), destroys: removalBy(endpoint, body) !== undefined }
}

/** Judges an undocumented request by its method: GET reads, and everything else may delete. */
export function rawEffectOf(method: string, path: string, body: unknown): RequestEffect {
  const row = documentedRequest(method, path)
  if (row) return effectOf(row, body)
  if (method === 'GET') return { effect: 'read', destroys: false }
  return { effect: method === 'DELETE' ? 'set' : 'act', destroys: true }
}

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
    throw new UsageError(`Servers read any value of ${name} as true`, { hint: `Remove it, or use ${name}=true` })
  }
}

function rowEffect(endpoint: Endpoint): Effect {
  if (endpoint.method === 'GET' || postReads.has(endpoint)) return 'read'
  return endpoint.method === 'POST' && !sets.has(endpoint) ? 'act' : 'set'
}
