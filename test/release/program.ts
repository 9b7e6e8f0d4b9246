/** The executable of the release, as it is and from the Debian package in a root folder of its own. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, inject } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

export const release = inject('release')
export const name = `analytics-${manifest.version}-linux-x64`
export const executable = join(release, name)
export const deb = join(release, `analytics_${manifest.version}-1_amd64.deb`)
export const isRoot = process.getuid?.() === 0

/** The user of the image, who is nobody in particular elsewhere. */
export const user = 65_532

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder that everybody may enter, gone when the file of tests ends. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-release-run-'))
  chmodSync(folder, 0o755)
  folders.push(folder)
  return folder
}

/** The files of the Debian package. */
export function unpacked(): string {
  const root = newFolder()
  execFileSync('dpkg-deb', ['-x', deb, root])
  return root
}

/** Adds the libraries that the program is linked to, which the packages of `Depends` bring, and nothing else. */
export function addLibraries(root: string): void {
  const linked = execFileSync('ldd', [executable], { encoding: 'utf8' })
  for (const [path] of linked.matchAll(/(\/\S+\.so\S*)/g)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    copyFileSync(path, join(root, path))
  }
}

/** A folder of `root` that belongs to the user of the image, and to nobody else. */
export function ownFolder(root: string, path: string): string {
  const folder = join(root, path)
  mkdirSync(folder, { recursive: true })
  chownSync(folder, user, user)
  chmodSync(folder, 0o700)
  return folder
}

/** Words before a program that is in `root`: it sees that folder as `/`, and works in `folder` of it. */
export function within(root: string, folder: string): [string, ...string[]] {
  return ['unshare', `--root=${root}`, `--wd=${folder}`, `--setgid=${user}`, `--setuid=${user}`]
}
