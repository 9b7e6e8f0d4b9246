import { fstatSync, statSync } from 'node:fs'

/** The open file may have been moved or removed. */
export function isInPlace(path: string, file: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false })
  const own = fstatSync(file)
  return there?.ino === own.ino && there.dev === own.dev
}
