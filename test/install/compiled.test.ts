/** The compiled code that is kept beside the program: never that of another build, and nobody else's to write. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'analytics-compiled-'))
  const filter = (path: string) => !path.startsWith(join(root, 'dist/cache'))
  for (const name of ['bin', 'dist']) cpSync(join(root, name), join(folder, name), { recursive: true, filter })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What it says on stderr. */
function run(...argv: readonly string[]): string {
  const shell = 'umask 0; "$NODE" bin/analytics.js "$@" 2>&1 >/dev/null'
  const env = { PATH: process.env.PATH, HOME: folder, NODE: process.execPath }
  return execFileSync('sh', ['-c', shell, 'sh', ...argv], { cwd: folder, env, encoding: 'utf8' })
}

const kept = () => readdirSync(join(folder, 'dist/cache'), { recursive: true, encoding: 'utf8' })

test('a build of the same length is not taken for the one before', () => {
  expect(run('profiles', 'list')).toContain('No profiles yet')
  const file = join(folder, 'dist/analytics.js')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/^\/\*\w{4}/, '/*next').replace('No profiles yet', 'No profiles now'))
  expect(run('profiles', 'list')).toContain('No profiles now')
  expect(kept().filter(name => name.endsWith('profiles.list'))).toHaveLength(2)
})

test('a file that is cut short or empty is made anew', () => {
  run('profiles', 'list')
  for (const length of [0, 1000]) {
    for (const name of kept().filter(name => name.includes('.js'))) {
      const file = join(folder, 'dist/cache', name)
      writeFileSync(file, readFileSync(file).subarray(0, length))
    }
    expect(run('profiles', 'list')).toContain('No profiles yet')
    for (const name of kept()) expect(statSync(join(folder, 'dist/cache', name)).size).toBeGreaterThan(1000)
  }
})

test('only words of commands name a file, and nobody else may write one', () => {
  run('-o', 'ids', 'profiles', 'list')
  expect(kept().join()).not.toContain('ids')
  for (const name of kept()) expect([name, statSync(join(folder, 'dist/cache', name)).mode & 0o022]).toEqual([name, 0])
})
