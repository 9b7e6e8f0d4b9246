import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Tests that start the real program start what is in `src` now, not what was built last week. */
export default function build(): void {
  if (isBuilt()) return
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Whether nothing has changed since the build began that made `dist`: a build begins with a new folder. */
function isBuilt(): boolean {
  const began = statSync(join(root, 'dist'), { throwIfNoEntry: false })?.birthtimeMs ?? 0
  const files = ['src', 'scripts'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  // Nobody can set back when a file was changed, as its time of modification can be.
  return ['src', 'scripts', 'package.json', 'package-lock.json', ...files].every(
    name => statSync(join(root, name)).ctimeMs < began,
  )
}
