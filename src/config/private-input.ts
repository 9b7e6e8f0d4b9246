import { statSync } from 'node:fs'
import { ownUser } from '../files/permissions.ts'
import { shellWord } from '../text/shell-words.ts'

export type Warn = (text: string) => void

/** Call it for a file that holds the secret that it should: nobody needs to protect another one. */
export function warnIfReadable(path: string, what: string, warn: Warn): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() || (stats.mode & 0o044) === 0) return
  // Only the owner should change the mode; root could change it for any file.
  const advice = stats.uid === ownUser() ? `. Run: chmod 600 ${shellWord(path)}` : ''
  warn(`${what} ${path} can be read by other users of this machine${advice}`)
}
