/** Files that hold secrets, which only their owner should be able to read. */
import { type Stats, statSync } from 'node:fs'
import { ownUser } from '../files/permissions.ts'
import { readAtMost } from '../files/read.ts'
import { cannotRead } from '../files/system-error.ts'
import type { Host } from '../host.ts'
import { shellWord } from '../text/shell-words.ts'

export type Warn = (text: string) => void

/** Bytes; no key is so long. */
const largest = 64 * 1024

/** Empty above 64 KB. Throws `UsageError` if the file cannot be read. */
export async function readPrivateInput(
  path: string,
  { what, hint }: { readonly what: string; readonly hint: string },
  { interrupted }: Pick<Host, 'interrupted'>,
): Promise<string> {
  try {
    const bytes = await readAtMost(path, largest, interrupted)
    return bytes?.toString().replace(/^\ufeff/, '') ?? ''
  } catch (error) {
    throw cannotRead(`${what} ${path}`, error, hint)
  }
}

/** Call it for a file that holds what it should: nobody needs to protect another one. */
export function warnIfReadable(path: string, what: string, warn: Warn): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || !isOpen(stats)) return
  // Only the owner should change the mode; root could change it for any file.
  const advice = stats.uid === ownUser() ? `. Run: chmod 600 ${shellWord(path)}` : ''
  warn(`${what} ${path} can be read by other users of this machine${advice}`)
}

function isOpen(stats: Stats): boolean {
  return stats.isFile() && (stats.mode & 0o044) !== 0
}
