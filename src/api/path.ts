import { type Collection, checkId } from '../values/ids.ts'
import type { Endpoint } from './endpoints.ts'

export function addressOf(base: URL, path: string, query: readonly (readonly [string, string])[] = []): URL {
  const url = new URL(base.href.slice(0, -1) + path)
  for (const [name, value] of query) url.searchParams.append(name, value)
  return url
}

/** Fills in the `:name` parameters. Throws `UsageError` for an invalid id; valid ids need no encoding. */
export function fill(path: string, parameters: Readonly<Record<string, string>>): string {
  const segments = path.split('/')
  return segments
    .map((segment, i) => {
      if (!segment.startsWith(':')) return segment
      return checkId(segments[i - 1] as Collection, parameters[segment.slice(1)] ?? '')
    })
    .join('/')
}

/** The segment in the place of `:id`; empty if the row has none. */
export function idInPath(path: string, row: Endpoint | undefined): string {
  return decodeURIComponent((row && path.split('/')[row.path.split('/').indexOf(':id')]) ?? '')
}
