/** Keeps key and cookies from whoever reads an answer: some servers repeat in a failure what they were sent. */
import type { Response } from './message.ts'

/** Shorter ones are no secrets, and would be found in words that have nothing to do with them. */
const shortest = 12

/** As bytes of UTF-8, a character each. */
const ellipsis = Buffer.from('…').toString('latin1')

/** The answer without cookies, and with `…` for the key in its headers and, where it is a failure, in its body. */
export function redact(response: Response, key: string): Response {
  const { 'set-cookie': _, ...kept } = response.headers
  if (key.length < shortest) return { ...response, headers: kept }
  const headers = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, value.replaceAll(key, '…')]))
  // A success holds records, which are not ours to change.
  return { ...response, headers, body: response.status < 300 ? response.body : without(response.body, key) }
}

async function* without(body: AsyncIterable<Uint8Array>, key: string): AsyncGenerator<Uint8Array> {
  let rest = ''
  for await (const chunk of body) {
    const text = (rest + Buffer.from(chunk).toString('latin1')).replaceAll(key, ellipsis)
    // The beginning of another, perhaps, whose end is in the next chunk.
    const from = Math.max(0, text.length - key.length + 1)
    rest = text.slice(from)
    if (from > 0) yield Buffer.from(text.slice(0, from), 'latin1')
  }
  if (rest !== '') yield Buffer.from(rest, 'latin1')
}
