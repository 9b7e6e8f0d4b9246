/** JSON as text: its tokens are found, but never changed. */

type Reason = 'empty' | 'cut short' | 'not JSON' | 'not an object' | 'not UTF-8' | 'nested too deeply'

export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: Reason

  constructor(reason: Reason, cause?: unknown) {
    super(`Malformed JSON: ${reason}`, { cause })
    this.reason = reason
  }
}

/** Levels of nesting; deeper recursion could overflow the stack. */
export const deepest = 1000

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openList = 0x5b
const backslash = 0x5c
const closeList = 0x5d
const openObject = 0x7b
const closeObject = 0x7d

/** Throws `Malformed` for a text that ends within a value, or that is nested too deeply to be read. */
export function refuseUnreadable(text: string): void {
  let depth = 0
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i++)
    if (code === quote) i = endOfString(text, i)
    else if (code === openObject || code === openList) depth++
    else if (code === closeObject || code === closeList) depth--
    if (depth > deepest) throw new Malformed('nested too deeply')
    if (i < 0) throw new Malformed('cut short')
  }
  if (depth > 0) throw new Malformed('cut short')
}

export function endsEarly(text: string): boolean {
  try {
    refuseUnreadable(text)
    return false
  } catch (error) {
    return error instanceof Malformed && error.reason === 'cut short'
  }
}

/** The index after a string whose first quote is just before `from`; negative if the text ends before it. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? end : end + 1
}

function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text.charCodeAt(start - 1) === backslash) start--
  return (at - start) % 2 === 1
}

type Part = readonly [name: string, value: string]

/** The values directly within an object or a list, an object's with their names. The text must be JSON. */
export function partsIn(text: string): Part[] {
  const parts: Part[] = []
  let depth = 0
  let start = 0
  let name = ''
  const add = (end: number) => parts.push([name, text.slice(start, end).trim()])
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i++)
    if (code === quote) i = endOfString(text, i)
    else if (code === openObject || code === openList) {
      if (++depth === 1) start = i
    } else if (code === closeObject || code === closeList) {
      if (--depth === 0 && /\S/.test(text.slice(start, i - 1))) add(i - 1)
    } else if (depth === 1 && code === colon) {
      name = JSON.parse(text.slice(start, i - 1))
      start = i
    } else if (depth === 1 && code === comma) {
      add(i - 1)
      start = i
    }
  }
  return parts
}

/** JSON has line breaks only between its tokens. */
export function oneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/\s*[\r\n]\s*/g, '') : text
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{[}\],:]|\s+/g

/** Deeper levels are not indented, since white space would be larger than the data. */
const deepestIndented = 100

/** Same layout as `JSON.stringify(value, null, 2)`. */
export function indented(text: string): string {
  let depth = 0
  const line = () => `\n${'  '.repeat(Math.min(depth, deepestIndented))}`
  return text.replace(token, one => {
    if (one === ',') return `,${line()}`
    if (one === ':') return ': '
    if (one === '{' || one === '[') {
      depth++
      return `${one}${line()}`
    }
    if (one === '}' || one === ']') {
      depth--
      return `${line()}${one}`
    }
    return one.startsWith('"') ? one : one.replace(/\s+/g, '')
  })
}
