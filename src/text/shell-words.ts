/** Supports quotes, but no other shell syntax. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"]+)+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
}

/** Prefers double quotes, because all shells support them and keep `a\b` in them. */
export function shellWord(word: string): string {
  if (/^[\p{L}\p{N}_@%+=:,./-]+$/u.test(word)) return word
  return /["$`!]|\\(?:[\\\n]|$)/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}
