import { type Collection, checkId } from '../values/ids.ts'
import { percentDecoded } from '../values/url.ts'
import { type Endpoint, endpoints, newer } from './endpoints.ts'

export function requestUrl(base: URL, path: string, query: readonly (readonly [string, string])[] = []): URL {
  const url = new URL(base.href.slice(0, -1) + path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

/** Throws `UsageError` for an invalid id; valid ids need no encoding. */
export function fillPath(path: string, parameters: Readonly<Record<string, string>>): string {
  return path.replace(/([^/]+)\/:(\w+)/g, (_, collection: Collection, name: string) => {
    return `${collection}/${checkId(collection, parameters[name] ?? '')}`
  })
}

export const idCount = (row: Endpoint) => row.path.split('/:').length

/** Literal segments first: `persons/funnel/` is not a person named "funnel". */
const documented = Object.values(endpoints)
  .flatMap(group => Object.values<Endpoint>(group))
  .toSorted((a, b) => idCount(a) - idCount(b))

const known = splitPaths([...documented, ...Object.values(newer)])

export function knownEndpointOf(method: string, path: string): Endpoint | undefined {
  return rowAt(known, method, path)
}

/** An endpoint of the document, or the lookup of distinct ids, whose id in the path (if any) is valid. */
export function documentedRequest(method: string, path: string): Endpoint | undefined {
  const row = rowAt(splitPaths([...documented, newer.batchByDistinctIds]), method, path)
  return row?.path.includes('/:id/') && !oneId.test(idInPath(path, row)) ? undefined : row
}

/** A number, a UUID, `@current`, or a placeholder as in `{project}`. */
const oneId = /^([1-9]\d*|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|@current|\{\w+\})$/i

function splitPaths(rows: readonly Endpoint[]) {
  return rows.map(row => ({ row, segments: row.path.split('/') }))
}

function rowAt(rows: ReturnType<typeof splitPaths>, method: string, path: string): Endpoint | undefined {
  // Servers accept `%73plit` for `split`.
  const segments = path.split('/').map(percentDecoded)
  return rows.find(({ row, segments: own }) => row.method === method && fits(own, segments))?.row
}

export function fits(own: readonly string[], segments: readonly string[]): boolean {
  return (
    own.length === segments.length &&
    own.every((one, i) => (one.startsWith(':') ? segments[i] !== '' : one === segments[i]))
  )
}

export function idInPath(path: string, row: Endpoint | undefined): string {
  return percentDecoded((row && path.split('/')[row.path.split('/').indexOf(':id')]) ?? '')
}
