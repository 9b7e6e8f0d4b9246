/** `Containerfile` fits the release that it is made from, the program that it runs, and what is said of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { containerfile } from './containerfile.ts'

const root = join(import.meta.dirname, '../..')
const file = containerfile()

test('it copies the executable that the release makes, and runs it', () => {
  const ignored = readFileSync(join(root, '.containerignore'), 'utf8').split('\n')
  for (const machine of ['x64', 'arm64']) {
    const source = file.source.replace(/\$\{MACHINE\}/, machine)
    const pattern = new RegExp(`^${source.replace('release/', '').replaceAll('*', '.*')}$`)
    const name = `analytics-0.1.0-linux-${machine}`
    expect([name, `${name}.xz`, `${name}.cdx.json`].filter(one => pattern.test(one))).toEqual([name])
    expect(ignored).toContain(`!${source}`)
  }
  expect(file.entrypoint).toEqual([file.executable])
})

test('all that the program keeps is in the volume, which belongs to the user', () => {
  const folders = Object.fromEntries(file.env)
  for (const name of ['HOME', 'TMPDIR', 'ANALYTICS_STATE_DIR', 'ANALYTICS_CONFIG_DIR']) {
    expect([name, folders[name]?.split('/')[1]]).toEqual([name, file.volume.slice(1)])
  }
  expect(file.user).toBeGreaterThan(0)
  expect(file.runs).toContainEqual(`install -d -o ${file.user} -g ${file.user} -m 0700 ${file.volume}`)
})

test('its base is fixed by a digest, and its labels say what it is', () => {
  expect(file.base).toMatch(/^docker\.io\/library\/debian:[a-z]+-slim@sha256:[0-9a-f]{64}$/)
  expect(file.labels).toEqual(['title', 'description', 'licenses'])
})

test('docs/install.md names its user and its volume', () => {
  const page = readFileSync(join(root, 'docs/install.md'), 'utf8')
  expect(page).toContain(`as the user ${file.user}`)
  expect(page).toContain(`:${file.volume} `)
})
