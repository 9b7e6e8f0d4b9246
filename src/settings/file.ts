import { resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import { chunksOf, collectAtMost } from '../files/read.ts'
import { reasonOf } from '../files/system-error.ts'
import type { Host } from '../host.ts'

/** The settings of a project are a few KB, so a larger file is a mistake. */
const largestFile = 1024 * 1024

export type FileHost = Pick<Host, 'cwd' | 'stdin' | 'interrupted'>

/** Throws `UsageError` for a file that cannot be read, is over 1 MB or is not UTF-8. */
export async function readSettingsText(host: FileHost, file: string): Promise<string> {
  const name = displayName(file)
  const chunks = file === '-' ? host.stdin.read() : chunksOf(resolve(host.cwd, file), name, host.interrupted)
  const bytes = await readBytes(name, chunks)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8 text`, { hint: 'Save it as UTF-8', cause: error })
  }
}

export function displayName(file: string): string {
  return file === '-' ? 'stdin' : file
}

export function displayNames(files: readonly string[]): string {
  return files.map(displayName).join(' and ')
}

/** A device may have no end. */
async function readBytes(name: string, source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const bytes = await collectAtMost(source, largestFile).catch((error: unknown) => {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${name} cannot be read${reasonOf(error)}`, { hint: 'Check its name', cause: error })
  })
  if (bytes) return bytes
  throw new UsageError(`${name} is larger than 1 MB`, { hint: 'Check its name' })
}
