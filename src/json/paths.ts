/** The paths asked of an item as a tree: which keys to look for in an object, and what to look for below each. */

/** What to look for in one object or array. */
export interface PathNode {
  /** Branches by the length of their key in bytes, which is known first. */
  readonly byLength: (Branch[] | undefined)[]
  readonly byName: Map<string, Branch>
  readonly byIndex: Map<number, Branch>
  /** The last index asked of an array; -1 if none is. */
  readonly lastIndex: number
}

export interface Branch {
  readonly key: Buffer
  /** Places in the list of paths of those that end here. */
  readonly leaves: readonly number[]
  /** What else is asked of its value. */
  readonly below: PathNode | undefined
  /** Longer keys of the same node that win part of the same paths: `a.b` for `a`. */
  readonly rivals: Branch[]
  /** The walk through an object in which this key was last seen. */
  visit: number
}

/** The rest of a path, and its place in the list of paths. */
type Rest = readonly [text: string, place: number]

/** Every way to split each path at its dots, as a tree. */
export function compilePaths(paths: readonly string[]): PathNode {
  // What lies below a node depends on the text before it alone, not on where that was split.
  return grow(
    '',
    paths.map((path, place) => [path, place]),
    new Map(),
  )
}

function grow(before: string, rests: readonly Rest[], grown: Map<string, PathNode>): PathNode {
  const known = grown.get(before)
  if (known) return known
  const byName = new Map<string, Branch>()
  for (const [key, { leaves, below }] of forks(rests)) {
    byName.set(key, {
      key: Buffer.from(key),
      leaves,
      below: below.length > 0 ? grow(`${before}${key}.`, below, grown) : undefined,
      rivals: [],
      visit: 0,
    })
  }
  const node = indexed(byName)
  grown.set(before, node)
  return node
}

function forks(rests: readonly Rest[]): Map<string, { leaves: number[]; below: Rest[] }> {
  const found = new Map<string, { leaves: number[]; below: Rest[] }>()
  const at = (key: string) => {
    const fork = found.get(key) ?? { leaves: [], below: [] }
    found.set(key, fork)
    return fork
  }
  for (const [text, place] of rests) {
    for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
      at(text.slice(0, dot)).below.push([text.slice(dot + 1), place])
    }
    at(text).leaves.push(place)
  }
  return found
}

function indexed(byName: Map<string, Branch>): PathNode {
  const byLength: (Branch[] | undefined)[] = []
  const byIndex = new Map<number, Branch>()
  let lastIndex = -1
  for (const [name, branch] of byName) {
    const length = branch.key.length
    byLength[length] ??= []
    byLength[length].push(branch)
    if (/^(?:0|[1-9]\d*)$/.test(name)) {
      byIndex.set(Number(name), branch)
      lastIndex = Math.max(lastIndex, Number(name))
    }
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      const shorter = byName.get(name.slice(0, dot))
      shorter?.rivals.push(branch)
    }
  }
  return { byLength, byName, byIndex, lastIndex }
}
