import { UsageError } from '../errors.ts'
import { isObject } from '../json/exact.ts'
import { documentedRequest, type Endpoint, plugins } from './endpoints.ts'

type RequestEffect = Pick<Endpoint, 'effect' | 'destroys'>

export function effectOf(row: Endpoint, body: unknown): RequestEffect {
  const { effect, destroys } = row
  return { effect, destroys: destroys || deletesObjects(row, body) || deletesFiles(row, body) }
}

/** Judges an undocumented request by its method: GET reads, and everything else may delete. */
export function rawEffectOf(method: string, path: string, body: unknown): RequestEffect {
  const row = documentedRequest(method, path)
  if (row) return effectOf(row, body)
  if (method === 'GET') return { effect: 'read', destroys: false }
  return { effect: method === 'DELETE' ? 'set' : 'act', destroys: true }
}

/** Some servers delete an object by `deleted: true` in an update. */
export function deletesObjects({ method, effect }: Endpoint, body: unknown): boolean {
  const { deleted = false } = isObject(body) ? body : {}
  return method === 'DELETE' || (effect !== 'read' && deleted !== false && deleted !== 'false')
}

function deletesFiles(row: Endpoint, body: unknown): boolean {
  return row === plugins.updateSource && isObject(body) && Object.values(body).includes(null)
}

/** Servers ignore the values of these: `delete_events=false` deletes the events. */
const switches = ['delete_events', 'keep_person', 'delete_recordings']

/** Throws `UsageError` for a typed parameter that servers read differently. */
export function refuseMisleading(params: readonly (readonly [string, string])[], body: unknown): void {
  for (const [name, value] of [...params, ...Object.entries(isObject(body) ? body : {})]) {
    if (name.toLowerCase() === '_method') {
      throw new UsageError(`${name} overrides the method`, { hint: 'Use analytics api METHOD instead' })
    }
    if (!switches.includes(name) || value === 'true' || value === true) continue
    throw new UsageError(`Servers read any value of ${name} as true`, { hint: `Remove it, or use ${name}=true` })
  }
}
