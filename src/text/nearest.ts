import { closest, distance } from 'fastest-levenshtein'

/** Ignores case; undefined if no choice is similar. */
export function nearest(typed: string, choices: readonly string[]): string | undefined {
  if (choices.length === 0) return undefined
  const lower = choices.map(one => one.toLowerCase())
  const found = closest(typed.toLowerCase(), lower)
  const far = distance(typed.toLowerCase(), found)
  return far <= (typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length * 0.4)))
    ? choices[lower.indexOf(found)]
    : undefined
}

/** Another name, but for upper and lower case and at most one character that is missing, added, changed or swapped. */
export function isNearly(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 2) return false
  const [a, b] = [[...folded(one)], [...folded(other)]]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const isSwapped = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
  // Of names of one character, each would be nearly each.
  const isOneSlip = left.length <= 1 && right.length <= 1 && start + end > 0
  return isSwapped || isOneSlip
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
