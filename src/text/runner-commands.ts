/** Escapes the first character of what a CI runner takes for a command at the start of a line: `::`, `##[`. */
export function escapeRunnerCommands(text: string): string {
  return text.replace(
    /^([^\S\n]*)(::|##)/gm,
    (_, blanks, [first]) => `${blanks}\\u00${first === ':' ? '3a' : '23'}${first}`,
  )
}
