import { percentDecoded } from '../values/url.ts'
import { type Endpoint, endpoints, newer } from './endpoints.ts'

const documented = Object.values(endpoints).flatMap(group => Object.values<Endpoint>(group))

export function knownEndpointOf(method: string, path: string): Endpoint | undefined {
  return rowsAt(path, [...documented, ...Object.values(newer)]).find(row => row.method === method)
}

/** An endpoint of the document, or the lookup of distinct ids, whose id in the path (if any) is valid. */
export function documentedRequest(method: string, path: string): Endpoint | undefined {
  const row = rowsAt(path, [...documented, newer.batchByDistinctIds]).find(one => one.method === method)
  return row?.path.includes('/:id/') && !oneId.test(parameterIn(path, row, 'id')) ? undefined : row
}

/** A number, a UUID, `@current`, or a placeholder as in `{project}`. */
const oneId = /^([1-9]\d*|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|@current|\{\w+\})$/i

/** Literal segments have precedence: `persons/funnel/` is not a person named "funnel". */
export function rowsAt(path: string, rows: readonly Endpoint[]): readonly Endpoint[] {
  // Servers accept `%73plit` for `split`.
  const segments = path.split('/').map(percentDecoded)
  const fitting = rows.filter(row => {
    const own = row.path.split('/')
    const fits = own.every((one, i) => (one.startsWith(':') ? segments[i] !== '' : one === segments[i]))
    return fits && own.length === segments.length
  })
  const parametersOf = (row: Endpoint) => row.path.split('/:').length
  const fewest = Math.min(...fitting.map(parametersOf))
  return fitting.filter(row => parametersOf(row) === fewest)
}

/** Empty if the path has no such parameter. */
export function parameterIn(path: string, row: Endpoint | undefined, name: string): string {
  return percentDecoded((row && path.split('/')[row.path.split('/').indexOf(`:${name}`)]) ?? '')
}
