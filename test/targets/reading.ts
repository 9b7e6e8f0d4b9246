/** The parts of a context that reading a list requires: stdin, a folder, and the messages. */
import type { Context } from '../../src/context.ts'
import { readIds, readNames } from '../../src/targets/read-names.ts'
import type { NameKind } from '../../src/targets/source.ts'

type Chunks = readonly (string | Uint8Array)[]

export function contextWith(chunks: Chunks, { cwd = '/', isTerminal = false } = {}) {
  const printed: string[] = []
  const read = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const print = (text: string) => void printed.push(text)
  const stream = { isTerminal, write: () => undefined }
  const stdin = { isTerminal, read, ask: async () => undefined }
  const host = { cwd, stdin, stdout: stream, stderr: stream, interrupted: new AbortController().signal }
  const messages = { notice: print, warn: print, problem: print, print }
  return { context: { host, messages } as unknown as Context, printed }
}

/** A list on stdin, without options. */
export const list = { file: '-', column: undefined, unmatched: undefined, requireAll: false, allowMultiple: false }

export async function idsIn(
  text: string | Uint8Array | Chunks,
  more: Partial<typeof list> = {},
): Promise<readonly string[]> {
  const chunks = typeof text === 'string' || text instanceof Uint8Array ? [text] : text
  return (await readIds(contextWith(chunks).context, 'persons', { ...list, ...more })).ids
}

export async function namesIn(by: NameKind, text: string, column?: string): Promise<readonly string[]> {
  const { firstLines } = await readNames(contextWith([text]).context, by, { ...list, column })
  return [...firstLines.keys()]
}
