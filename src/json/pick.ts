import { type Item, Malformed } from './item.ts'
import { type Branch, compilePaths, type PathNode } from './paths.ts'
import {
  backslash,
  nextElement,
  nextKey,
  openList,
  openObject,
  quote,
  skipRest,
  skipString,
  skipValue,
  valueBehind,
} from './scan.ts'

export type JsonType = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null'

const kinds: Readonly<Record<string, JsonType>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'true',
  f: 'false',
  n: 'null',
}

export function kindOf(item: Item): JsonType {
  return kinds[String.fromCharCode(item[0] ?? 0)] ?? 'number'
}

/** One member of one object; `compile` is for many. */
export function valueAt(item: Item, name: string): Item | undefined {
  return compile([name]).pick(item)[0]
}

export function isSingleValue(item: Item | undefined): item is Item {
  return item !== undefined && !['null', 'object', 'array'].includes(kindOf(item))
}

/** Returns the value of a string, or the raw text of another value. Throws `Malformed` for an unknown escape. */
export function textOf(item: Item): string {
  if (item[0] !== quote) return item.toString()
  if (!item.includes(backslash)) return item.toString('utf8', 1, item.length - 1)
  const escaped = (control: string) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
  try {
    return JSON.parse(item.toString().replace(/[\0-\x1f]/g, escaped))
  } catch (error) {
    throw new Malformed('not JSON', error)
  }
}

export function stringIn(item: Item | undefined): string | undefined {
  return item && kindOf(item) === 'string' ? textOf(item) : undefined
}

/** In order, with duplicate names; empty unless the item is an object. */
export function members(item: Item): [name: string, value: Item][] {
  const found: [string, Item][] = []
  if (item[0] !== openObject) return found
  for (let i = nextKey(item, 1, true); i >= 0; ) {
    const behind = skipString(item, i + 1)
    const start = valueBehind(item, behind)
    const end = skipValue(item, start)
    found.push([textOf(item.subarray(i, behind)), item.subarray(start, end)])
    i = nextKey(item, end, false)
  }
  return found
}

export function elements(item: Item): Item[] {
  const found: Item[] = []
  if (item[0] !== openList) return found
  for (let i = nextElement(item, 1, true); i >= 0; ) {
    const end = skipValue(item, i)
    found.push(item.subarray(i, end))
    i = nextElement(item, end, false)
  }
  return found
}

interface Picker {
  /** In the order of the paths; undefined for a missing value. Throws `Malformed`. */
  pick(item: Item): (Item | undefined)[]
}

/** If a path has several meanings, the longest first key wins; of equal keys the last, as in `JSON.parse`. */
export function compile(paths: readonly string[], onOther?: (name: string) => void): Picker {
  const root = compilePaths(paths)
  const starts = new Int32Array(paths.length)
  const ends = new Int32Array(paths.length)
  const walk = createWalk(starts, ends, root, onOther)
  const pick: Picker['pick'] = item => {
    ends.fill(-1)
    const end = item[0] === openObject || item[0] === openList ? walk(item, root, 0) : 0
    if (end < 0) return pickLast(item)
    const found: (Item | undefined)[] = []
    for (let n = 0; n < paths.length; n++) {
      const end = ends[n] as number
      found.push(end < 0 ? undefined : item.subarray(starts[n], end))
    }
    return found
  }
  const pickLast = (item: Item) => {
    const values = valuesOf(item)
    return paths.map(path => resolve(item, path, values))
  }
  return { pick }
}

type Walk = (item: Item, node: PathNode, from: number) => number

/** A walk returns this for keys that `resolve` must handle: repeated ones, and two meanings of one path. */
const unclear = -1

function createWalk(starts: Int32Array, ends: Int32Array, root: PathNode, onOther?: (name: string) => void): Walk {
  let visits = 0

  const enter = (item: Item, branch: Branch, start: number): number => {
    const first = item[start]
    const below = branch.below
    const end =
      below && (first === openObject || first === openList) ? walk(item, below, start) : skipValue(item, start)
    for (const leaf of branch.leaves) {
      starts[leaf] = start
      ends[leaf] = end
    }
    return end
  }

  const walk: Walk = (item, node, from) =>
    item[from] === openObject ? object(item, node, from) : array(item, node, from)

  const object: Walk = (item, node, from) => {
    const visit = ++visits
    let i = nextKey(item, from + 1, true)
    while (i >= 0) {
      const behind = skipString(item, i + 1)
      const start = valueBehind(item, behind)
      const branch = find(item, node, i + 1, behind - 1)
      let end: number
      if (branch === undefined) {
        if (onOther && node === root) onOther(textOf(item.subarray(i, behind)))
        end = skipValue(item, start)
      } else {
        if (branch.visit === visit) return unclear
        for (const rival of branch.rivals) if (rival.visit === visit) return unclear
        branch.visit = visit
        end = enter(item, branch, start)
        if (end < 0) return end
      }
      i = nextKey(item, end, false)
    }
    return ~i
  }

  const array: Walk = (item, node, from) => {
    let i = nextElement(item, from + 1, true)
    for (let index = 0; i >= 0; index++) {
      if (index > node.lastIndex) return skipRest(item, i)
      const branch = node.byIndex.get(index)
      const end = branch === undefined ? skipValue(item, i) : enter(item, branch, i)
      if (end < 0) return end
      i = nextElement(item, end, false)
    }
    return ~i
  }

  return walk
}

/** If there are more keys, they are looked up by name. */
const few = 32

function find(item: Item, node: PathNode, start: number, end: number): Branch | undefined {
  const same = node.byLength[end - start]
  if (same !== undefined && same.length > few) return node.byName.get(textOf(item.subarray(start - 1, end + 1)))
  if (same !== undefined) {
    candidates: for (const branch of same) {
      const key = branch.key
      for (let k = 0; k < key.length; k++) if (item[start + k] !== key[k]) continue candidates
      return branch
    }
  }
  for (let k = start; k < end; k++) {
    if (item[k] === backslash) return node.byName.get(textOf(item.subarray(start - 1, end + 1)))
  }
  return undefined
}

/** Slow and simple path lookup, for the rare cases that the walk cannot handle. */
function resolve(item: Item, path: string, values = valuesOf(item)): Item | undefined {
  if (item[0] === openList) {
    const dot = path.indexOf('.')
    const index = dot < 0 ? path : path.slice(0, dot)
    const element = /^(?:0|[1-9]\d*)$/.test(index) ? elements(item)[Number(index)] : undefined
    return element && dot >= 0 ? resolve(element, path.slice(dot + 1)) : element
  }
  for (let dot = path.length; dot >= 0; dot = dot === 0 ? -1 : path.lastIndexOf('.', dot - 1)) {
    const value = values.get(path.slice(0, dot))
    const found = value && dot < path.length ? resolve(value, path.slice(dot + 1)) : value
    if (found) return found
  }
  return undefined
}

function valuesOf(item: Item): ReadonlyMap<string, Item> {
  return new Map(members(item))
}
