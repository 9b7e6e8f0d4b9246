/** The packages beside the program, and those in its bundle. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { posixTest } from '../posix.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
}

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> }
const installed = Object.entries(packages).filter(([name, { dev }]) => name !== '' && !dev)
const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, Readonly<Record<string, string>>>>

test('an installation has one optional package, and what that one needs', () => {
  expect([manifest.dependencies, Object.keys(manifest.optionalDependencies ?? {})]).toEqual([undefined, ['libsql']])
  const names = installed.map(([path]) => path.replace('node_modules/', ''))
  expect(names.filter(name => !name.startsWith('@libsql/'))).toEqual(['@neon-rs/load', 'detect-libc', 'libsql'])
})

test('neither an installed package nor this one runs an install script', () => {
  expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
  const ours = Object.keys(manifest.scripts ?? {})
  expect(ours.filter(name => /^(pre|post)?install$|^(pre|post)prepare$/.test(name))).toEqual([])
})

test('every package has a checksum, and the lock file names no registry', () => {
  const odd = Object.entries(packages).filter(
    ([name, { resolved, integrity }]) => name !== '' && !(resolved === undefined && integrity?.startsWith('sha512-')),
  )
  expect(odd.map(([name]) => name)).toEqual([])
})

test('the licence of every bundled package is included, and allows it', () => {
  const page = read('dist/THIRD-PARTY.md')
  const sections = page.split(/^## /m).slice(1)
  const titles = sections.map(section => section.split('\n', 1)[0] ?? '')
  for (const name of ['commander', 'undici', 'conf', 'csv-parse', 'yaml']) {
    expect(titles.filter(title => title.startsWith(`${name} `))).toHaveLength(1)
  }
  const licences = new Set(sections.map(section => section.split('\n')[2]))
  expect(
    [...licences].filter(licence => !/^(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|MPL-2\.0)$/.test(licence ?? '')),
  ).toEqual([])
  for (const section of sections) {
    // For the MPL a link to the text is enough.
    if (section.includes('\n\nMPL-2.0\n')) expect(section).toMatch(/Its terms: https:.*\nIts source: https:/)
    else expect(section.split('\n').filter(line => line.startsWith('>')).length).toBeGreaterThan(5)
  }
})

posixTest('no shipped file can be written by everyone', () => {
  for (const file of readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!file.startsWith('cache')) expect([file, statSync(join(root, 'dist', file)).mode & 0o002]).toEqual([file, 0])
  }
})
