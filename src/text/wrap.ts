/** Breaks a line between words. A command at its end stays whole, so that it can be copied. */
export function wrap(line: string, width = Number.POSITIVE_INFINITY): string {
  if (line.length <= width) return line
  const [indent] = /^ */.exec(line) ?? ['']
  const command = /(?<=: )(?:analytics|chmod) .*$/.exec(line)?.[0] ?? ''
  const words = line
    .slice(indent.length, line.length - command.length)
    .trimEnd()
    .split(' ')
  const lines: string[] = []
  let current = ''
  for (const word of command === '' ? words : [...words, command]) {
    const longer = current === '' ? indent + word : `${current} ${word}`
    const breaks = longer.length > width && current !== ''
    if (breaks) lines.push(current.trimEnd())
    current = breaks ? indent + word : longer
  }
  return [...lines, current].join('\n')
}
