/** A word as a shell takes it; prefers double quotes, because every shell knows them and leaves `a\b` alone in them. */
export function shellWord(word: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)) return word
  return /["$`!]|\\(?:[\\\n]|$)/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}
