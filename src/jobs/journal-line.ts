/**
 * A line of a journal: an entry as JSON in ASCII, whose last item is a checksum of the others and of the line's place in
 * the file. So an edited, moved or removed line shows, and lines behind a block that a power loss emptied can be checked.
 */

/** The line for byte `offset` of a file; `seed` differs between jobs and between generations. */
export function encodeLine(entry: readonly unknown[], seed: number, offset: number): string {
  const text = JSON.stringify(entry).replace(/[^ -~]/g, escapeUnit)
  return `${text.slice(0, -1)},"${checksum(text, seed, offset)}"]\n`
}

/** The entry of a line that is given without its end. Throws `SyntaxError` where it is not what was written there. */
export function decodeLine(line: string, seed: number, offset: number): unknown {
  const text = `${line.slice(0, -endLength)}]`
  if (line.slice(-endLength) !== `,"${checksum(text, seed, offset)}"]`) throw new SyntaxError('Not that line')
  return JSON.parse(text)
}

/** Of `,"0123abcd"]`. */
const endLength = 12

/** FNV-1a, in hexadecimal. It finds accidents and edits by hand; whoever computes it anew needs no key. */
function checksum(text: string, seed: number, offset: number): string {
  let hash = 0x811c9dc5 ^ seed ^ offset
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
