import { closest, distance } from 'fastest-levenshtein'

export function nearest(typed: string, choices: readonly string[]): string | undefined {
  if (choices.length === 0) return undefined
  const lower = choices.map(one => one.toLowerCase())
  const near = closest(typed.toLowerCase(), lower)
  const maxDistance = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length * 0.4))
  return distance(typed.toLowerCase(), near) <= maxDistance ? choices[lower.indexOf(near)] : undefined
}
