export interface Step {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Larger inputs would take seconds, so their middle is shown as replaced. */
const mostComparisons = 4_000_000

/** Returns the shortest edit between two sequences, removals first. */
export function align(from: readonly string[], to: readonly string[]): Step[] {
  let start = 0
  while (start < from.length && start < to.length && from[start] === to[start]) start++
  let end = 0
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++
  return [
    ...from.slice(0, start).map(same),
    ...alignMiddle(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...from.slice(from.length - end).map(same),
  ]
}

const same = (text: string): Step => ({ kind: 'same', text })
const removed = (text: string): Step => ({ kind: 'removed', text })
const added = (text: string): Step => ({ kind: 'added', text })

function alignMiddle(from: readonly string[], to: readonly string[]): Step[] {
  if (from.length * to.length > mostComparisons) return [...from.map(removed), ...to.map(added)]
  const longest = commonLengths(from, to)
  const at = (i: number, j: number) => longest[i * (to.length + 1) + j] ?? 0
  const steps: Step[] = []
  let i = 0
  let j = 0
  while (i < from.length || j < to.length) {
    const [old, fresh] = [from[i], to[j]]
    if (old !== undefined && old === fresh) {
      steps.push(same(old))
      i++
      j++
    } else if (old !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      steps.push(removed(old))
      i++
    } else {
      steps.push(added(fresh ?? ''))
      j++
    }
  }
  return steps
}

function commonLengths(from: readonly string[], to: readonly string[]): Uint32Array {
  const width = to.length + 1
  const longest = new Uint32Array((from.length + 1) * width)
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      const [right = 0, below = 0, across = 0] = [
        longest[i * width + j + 1],
        longest[(i + 1) * width + j],
        longest[(i + 1) * width + j + 1],
      ]
      longest[i * width + j] = from[i] === to[j] ? across + 1 : Math.max(right, below)
    }
  }
  return longest
}
