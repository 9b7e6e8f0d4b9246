/** The npm package, with modes of its files that depend on nobody's umask. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Writes the package of `root` to `folder`; `work` is for a copy of its files. */
export function writePackage({ root, work, folder }) {
  const npm = (...args) => execFileSync('npm', ['pack', '--ignore-scripts', ...args], { cwd: root, encoding: 'utf8' })
  const answer = JSON.parse(npm('--dry-run', '--json', '--silent'))
  // A list from npm 10 and 11, by name from later ones.
  const [{ files }] = Array.isArray(answer) ? answer : Object.values(answer)
  const copy = join(work, 'package')
  for (const { path } of files) {
    const target = join(copy, path)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, path), target)
    chmodSync(target, statSync(target).mode & 0o100 ? 0o755 : 0o644)
  }
  npm('--silent', '--pack-destination', folder, copy)
}
