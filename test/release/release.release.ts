/** What `npm run release` makes: the files and what is said of them. Needs what `scripts/release/release.mjs` does, lintian and mandoc. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { release as makeRelease } from './make.ts'
import { deb, executable, name, newFolder, release, unpacked } from './program.ts'

const minutes = 60_000
const root = join(import.meta.dirname, '../..')

test('the checksums are right', () => {
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release })
})

test('a release of the same sources, in another folder and time zone and with another umask, has the same bytes', {
  timeout: 60 * minutes,
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
  const node = components.find((one: { name: string }) => one.name === 'node')
  expect(node).toMatchObject({
    purl: `pkg:generic/node@${node.version}`,
    cpe: expect.stringContaining('nodejs:node.js'),
  })
})

test('the Debian package has man pages, completions and licences in their places', () => {
  const tree = unpacked()
  const shared = (path: string) => join(tree, 'usr/share', path)
  for (const path of manifest.man) {
    const page = shared(path.replace('dist/man', 'man/man1').concat('.gz'))
    expect([path, gunzipSync(readFileSync(page)).toString()]).toEqual([path, readFileSync(join(root, path), 'utf8')])
  }
  execFileSync('bash', ['-n', shared('bash-completion/completions/analytics')])
  for (const path of [
    'zsh/vendor-completions/_analytics',
    'fish/vendor_completions.d/analytics.fish',
    'analytics/settings.schema.json',
  ]) {
    expect([path, existsSync(shared(path))]).toEqual([path, true])
  }
})

test('lintian finds no error in the Debian packages, and mandoc no warning in the man pages', {
  timeout: 10 * minutes,
}, () => {
  for (const file of [deb, deb.replace('amd64', 'arm64')]) {
    expect(said('lintian', '--fail-on', 'error', '--tag-display-limit', '0', file)).not.toMatch(/^E:/m)
  }
  const pages = manifest.man.map(path => join(root, path))
  expect(said('mandoc', '-T', 'lint', '-W', 'warning', ...pages)).toBe('')
})

test('the notes are the part of the changelog about this version, under its number alone', () => {
  expect(readFileSync(join(release, 'NOTES.md'), 'utf8').split('\n')[0]).toBe(`## ${manifest.version}`)
})

test.skipIf(said('which', 'qemu-aarch64') === '')('the executable for arm64 has its sandbox inside', () => {
  const words = ['-L', '/usr/aarch64-linux-gnu', executable.replace('x64', 'arm64'), '--sandbox', 'persons', 'list']
  const options = { env: { PATH: process.env.PATH, HOME: newFolder() }, encoding: 'utf8' } as const
  expect(spawnSync('qemu-aarch64', [...words, '--search', 'ada', '-o', 'ids'], options).stdout).toBe('55\n')
})

/** What a program prints, errors included. */
function said(command: string, ...args: readonly string[]): string {
  const { stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (error) throw error
  return `${stdout}${stderr}`
}
