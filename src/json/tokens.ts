type Reason = 'empty' | 'cut short' | 'not JSON' | 'not UTF-8' | 'nested too deeply'

export class Malformed extends Error {
  override readonly name = 'Malformed'
  readonly reason: Reason

  constructor(reason: Reason) {
    super(`Malformed JSON: ${reason}`)
    this.reason = reason
  }
}

/** JSON has line breaks only between its tokens. */
export function oneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? text.replace(/\s*[\r\n]\s*/g, '') : text
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{[}\],:]|\s+/g

/** Deeper levels are not indented, since white space would be larger than the data. */
const deepestIndented = 100

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
