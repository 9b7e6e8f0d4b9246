/** Quotes hold words together; no other syntax of a shell is supported. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"]+)+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
}
