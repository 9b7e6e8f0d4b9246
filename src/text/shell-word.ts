/** Quotes a word for a shell; prefers double quotes, because all shells know them and keep `a\b` in them. */
export function shellWord(word: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)) return word
  return /["$`!]|\\(?:[\\\n]|$)/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}
