import { rmSync, type Stats, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomSuffix } from '../files/random-suffix.ts'

/** Milliseconds by the clock of the file's folder, which several machines may share; infinite for a missing file. */
export function ageOf(path: string): number {
  const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY
  const probe = join(dirname(path), `.clock-${randomSuffix()}`)
  try {
    writeFileSync(probe, '', { flag: 'wx', mode: 0o600 })
    const now = statSync(probe)
    if (now.mtimeMs < mtimeMs) beginAnew(path, now)
    return now.mtimeMs - mtimeMs
  } catch {
    // In a read-only folder nobody can take over, so our own clock is enough.
    return Date.now() - mtimeMs
  } finally {
    rmSync(probe, { force: true })
  }
}

/** If the clock was set back, the file's time is in the future and would never expire; a running holder renews it. */
function beginAnew(path: string, { atime, mtime }: Stats): void {
  try {
    utimesSync(path, atime, mtime)
  } catch {}
}
