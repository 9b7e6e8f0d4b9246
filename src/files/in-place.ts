import { fstatSync, statSync } from 'node:fs'

/** Whether the path still names the open file: somebody may have moved or removed it. */
export function isInPlace(path: string, file: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false })
  const own = fstatSync(file)
  return there?.ino === own.ino && there.dev === own.dev
}
