import { closest, distance } from 'fastest-levenshtein'

export function nearest(typed: string, choices: readonly string[]): string | undefined {
  if (choices.length === 0) return undefined
  const lower = choices.map(one => one.toLowerCase())
  const found = closest(typed.toLowerCase(), lower)
  const far = distance(typed.toLowerCase(), found)
  return far <= (typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length * 0.4)))
    ? choices[lower.indexOf(found)]
    : undefined
}
