import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Builds the program before the tests, if `src` changed. */
export default function build(): void {
  if (isBuilt()) return
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Whether nothing changed since `dist` was made: a build begins with a new folder. */
function isBuilt(): boolean {
  const began = statSync(join(root, 'dist'), { throwIfNoEntry: false })?.birthtimeMs ?? 0
  const files = ['src', 'scripts'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  // Unlike the time of modification, ctime cannot be set back.
  return ['src', 'scripts', 'package.json', 'package-lock.json', ...files].every(
    name => statSync(join(root, name)).ctimeMs < began,
  )
}
