import { TextDecoder } from 'node:util'
import { UsageError } from '../errors.ts'

/** Bytes. Larger input is a mistake or endless. */
const largestInput = 1024 ** 3
const longestLine = 16 * 1024 * 1024
const mostLines = 5_000_000

/** A batch, because an async generator turn per line takes longer than reading the line. */
interface LineBatch {
  readonly from: number
  readonly lines: readonly string[]
}

/** Removes LF and the byte order mark; CR stays, since it may be data. Throws `UsageError`. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>, where: string): AsyncGenerator<LineBatch> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let length = 0
  let count = 0
  for await (const chunk of bytes) {
    if (length === 0) refuseUtf16(chunk, where)
    length += chunk.length
    if (length > largestInput) throw new UsageError(`${where} holds more than 1 GB`, { hint: 'Split it' })
    if (chunk.includes(0)) throw notText(where, 'it holds a NUL byte')
    const text = decode(decoder, chunk, where)
    // The parts of a long line are joined once, and not searched again with each chunk.
    const lines = text.includes('\n') ? (rest + text).split('\n') : []
    rest = lines.pop() ?? rest + text
    if (rest.length > longestLine) throw notText(where, 'a line is longer than 16 MB')
    const from = count + 1
    count += lines.length
    if (count > mostLines) throw new UsageError(`${where} holds more than 5,000,000 lines`, { hint: 'Split it' })
    if (lines.length > 0) yield { from, lines }
  }
  rest += decode(decoder, undefined, where)
  if (rest !== '') yield { from: count + 1, lines: [rest] }
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, where: string): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    throw notText(where, 'it is not UTF-8', cause)
  }
}

function refuseUtf16([first, second]: Uint8Array, where: string): void {
  const is = (a: number, b: number) => first === a && second === b
  if (is(0xff, 0xfe) || is(0xfe, 0xff)) throw notText(where, 'it is UTF-16')
}

function notText(where: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`${where} cannot be read: ${why}`, {
    hint: 'Save it as UTF-8 text (in Excel: CSV UTF-8)',
    cause,
  })
}
