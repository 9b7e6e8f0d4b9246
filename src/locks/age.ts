import { rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomSuffix } from '../files/random-suffix.ts'

/** In ms, by the clock of the file's folder, since machines that share it may differ; infinite for a missing file. */
export function ageOf(path: string): number {
  const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
  const probe = join(dirname(path), `.clock-${randomSuffix()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    return statSync(probe).mtimeMs - mtimeMs
  } catch {
    // In a read-only folder nobody can take anything over, so our own clock is enough.
    return Date.now() - mtimeMs
  } finally {
    rmSync(probe, { force: true })
  }
}
