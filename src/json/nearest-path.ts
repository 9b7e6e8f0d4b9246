import { nearest } from '../text/nearest.ts'
import { isObject, type Json } from './exact.ts'

export function pathsIn(value: Json): string[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => [
    name,
    ...(isObject(member) ? Object.keys(member).map(key => `${name}.${key}`) : []),
  ])
}

/** Prefers the same name at another path (`email` → `properties.email`) and a longer one (`created` → `created_at`). */
export function nearestPath(field: string, all: readonly string[]): string | undefined {
  const last = (path: string) => path.slice(path.lastIndexOf('.') + 1)
  const there = all.filter(path => last(path) !== '')
  const same = there.find(path => last(path) === last(field))
  const longer = there.find(path => last(path).startsWith(`${last(field)}_`))
  const near = same ?? longer ?? nearest(field, there)
  if (near !== undefined) return near
  const name = nearest(field, there.map(last))
  return name === undefined ? undefined : there.find(path => last(path) === name)
}
