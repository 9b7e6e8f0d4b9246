/** The bytes of settings files: a name, or `-` for stdin. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import type { Host } from '../host.ts'

/** A file past this was named by mistake: the settings of a project are a few KB. */
const largest = 1024 * 1024

/** What of the world is read. */
export type FileHost = Pick<Host, 'cwd' | 'stdin'>

/** The text of one file. Throws `UsageError` for one that cannot be read, is over 1 MB or is not UTF-8. */
export async function fileText(host: FileHost, file: string): Promise<string> {
  const name = nameOf(file)
  const bytes = await collected(name, file === '-' ? host.stdin.read() : opened(resolve(host.cwd, file)))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8 text`, { hint: 'Save it as UTF-8', cause: error })
  }
}

/** How messages call a file. */
export function nameOf(file: string): string {
  return file === '-' ? 'stdin' : file
}

export function namesOf(files: readonly string[]): string {
  return files.map(nameOf).join(' and ')
}

/** Read to one byte past the most, so that what has no end is found out as well. */
function opened(path: string): AsyncIterable<Uint8Array> {
  return createReadStream(path, { end: largest })
}

async function collected(name: string, source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of source) {
      chunks.push(chunk)
      length += chunk.length
      if (length > largest) break
    }
  } catch (error) {
    throw new UsageError(`${name} cannot be read`, { hint: 'Check the name after -f', cause: error })
  }
  if (length > largest) throw new UsageError(`${name} is larger than 1 MB`, { hint: 'Check the name after -f' })
  return Buffer.concat(chunks)
}
