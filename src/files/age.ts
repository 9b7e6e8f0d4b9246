import { rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Ms since a file was written (endless where it is not there), by the clock of its folder: machines that share the folder need not agree about the time. */
export function ageOf(path: string): number {
  const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
  const probe = join(dirname(path), `.clock-${Math.random().toString(36).slice(2, 10)}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    return statSync(probe).mtimeMs - mtimeMs
  } catch {
    // In a folder that cannot be written nobody can take anything over; it can still be looked at.
    return Date.now() - mtimeMs
  } finally {
    rmSync(probe, { force: true })
  }
}
