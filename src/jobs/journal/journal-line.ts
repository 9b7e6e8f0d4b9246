/** An ASCII JSON entry with a checksum of its text and position, so that edited or moved lines are noticed. */

export function encodeLine(entry: readonly unknown[], seed: number, offset: number): string {
  const text = JSON.stringify(entry).replace(/[^ -~]/g, escapeUnit)
  return `${text.slice(0, -1)},"${checksum(text, seed, offset)}"]\n`
}

/** `line` has no line feed. Throws `SyntaxError` if the checksum is wrong. */
export function decodeLine(line: string, seed: number, offset: number): unknown {
  const text = `${line.slice(0, -endLength)}]`
  if (line.slice(-endLength) !== `,"${checksum(text, seed, offset)}"]`) throw new SyntaxError('Not that line')
  return JSON.parse(text)
}

/** Length of `,"0123abcd"]`. */
const endLength = 12

/** FNV-1a in hexadecimal finds accidents and manual edits, not forgery. */
function checksum(text: string, seed: number, offset: number): string {
  let hash = 0x811c9dc5 ^ seed ^ offset
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
