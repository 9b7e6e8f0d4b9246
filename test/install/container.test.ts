/** `Containerfile` fits the release that it is made from, the program that it runs, and what is said of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { containerfile } from './containerfile.ts'

const root = join(import.meta.dirname, '../..')
const file = containerfile()

test('it copies the executable that the release makes, and runs it', () => {
  const pattern = new RegExp(`^${file.source.replace('release/', '').replaceAll('*', '.*')}$`)
  const made = ['analytics-0.1.0-linux-x64', 'analytics-0.1.0-linux-x64.xz', 'analytics-0.1.0-linux-x64.cdx.json']
  expect(made.filter(name => pattern.test(name))).toEqual(['analytics-0.1.0-linux-x64'])
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

test('docs/install.md names its user and its volume', () => {
  const page = readFileSync(join(root, 'docs/install.md'), 'utf8')
  expect(page).toContain(`as the user ${file.user}`)
  expect(page).toContain(`:${file.volume} `)
})
