export interface PathNode {
  /** Index: the length of the key in bytes. Keys with a backslash are left out. */
  readonly byLength: (Branch[] | undefined)[]
  readonly byName: Map<string, Branch>
  readonly byIndex: Map<number, Branch>
  readonly lastIndex: number
}

export interface Branch {
  readonly key: Buffer
  readonly leaves: readonly number[]
  readonly below: PathNode | undefined
  /** Longer keys that may match the same path: `a.b` for `a`. */
  readonly rivals: Branch[]
  /** Number of the last walk that found this key. */
  visit: number
}

type Rest = readonly [text: string, place: number]

export function compilePaths(paths: readonly string[]): PathNode {
  // Equal nodes are shared, because the paths below a node depend only on the text before it.
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
    // In JSON, a single backslash starts an escape.
    if (!name.includes('\\')) {
      const length = branch.key.length
      byLength[length] ??= []
      byLength[length].push(branch)
    }
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
