import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileIdentity } from '../../src/files/file-identity.ts'

function folderWith(...files: readonly string[]): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['a', 'b']) mkdirSync(join(folder, name))
  for (const name of files) writeFileSync(join(folder, name), name)
  return name => join(folder, name)
}

test('names of one file are one, and files of one name in two folders are two', () => {
  const at = folderWith('a/x', 'b/x', 'a/y')
  linkSync(at('a/x'), at('b/hard'))
  symlinkSync('../a/x', at('b/soft'))
  symlinkSync(at('a'), at('folder'))
  for (const name of ['b/hard', 'b/soft', 'folder/x']) expect(fileIdentity(at(name))).toBe(fileIdentity(at('a/x')))
  const unlike = ['a/x', 'a/y', 'b/x', 'a', 'b', 'a/new', 'b/new', 'a/new/x', '/dev/null', '/']
  const identities = unlike.map(name => fileIdentity(name.startsWith('/') ? name : at(name)))
  expect(new Set(identities).size).toBe(unlike.length)
})

test('names of one new file are one, a link to it included', () => {
  const at = folderWith()
  symlinkSync(at('a'), at('folder'))
  symlinkSync('../a/new', at('b/link'))
  symlinkSync('link', at('b/again'))
  for (const name of ['folder/new', 'b/link', 'b/again']) expect(fileIdentity(at(name))).toBe(fileIdentity(at('a/new')))
})

test('a link to itself has an identity', () => {
  const at = folderWith()
  symlinkSync('loop', at('a/loop'))
  expect(fileIdentity(at('a/loop'))).toMatch(/loop$/)
})

/** Words that start a program where it may mount; undefined where the system does not allow that. */
const mounting = [['-m'], ['-r', '-m']]
  .map(more => ['unshare', ...more])
  .find(([program = '', ...words]) => {
    const folder = mkdtempSync(join(tmpdir(), 'mounting-'))
    const { status } = spawnSync(program, [...words, 'mount', '--bind', folder, folder])
    rmSync(folder, { recursive: true })
    return status === 0
  })

test.skipIf(!mounting).each([
  ['persons delete --from ids --backup a/x --receipt b/x --yes', '--backup and --receipt'],
  ['persons delete --emails-from a/list --unmatched b/list --yes', '--emails-from and --unmatched'],
])('%s: a folder that is mounted twice has each file once', (line, names) => {
  const at = folderWith('ids')
  writeFileSync(at('a/list'), 'timezone: UTC\n')
  const program = join(import.meta.dirname, '../../bin/analytics.js')
  const env = {
    PATH: process.env.PATH ?? '',
    ANALYTICS_BASE_URL: 'http://127.0.0.1:9',
    ANALYTICS_API_KEY: 'key',
    ANALYTICS_PROJECT: '1',
    ANALYTICS_STATE_DIR: at('state'),
    ANALYTICS_CONFIG_DIR: at('config'),
  }
  const script = `mount --bind a b && exec "${process.execPath}" "${program}" ${line}`
  const [unshare = '', ...words] = mounting ?? []
  const ran = spawnSync(unshare, [...words, 'sh', '-c', script], { cwd: at('.'), env, encoding: 'utf8' })
  expect([ran.status, ran.stderr]).toEqual([2, expect.stringContaining(`${names} name the same file`)])
  expect(readFileSync(at('a/list'), 'utf8')).toBe('timezone: UTC\n')
})

test.skipIf(mounting)('skipped: this system lets nobody mount a folder twice (unshare)', () => undefined)
