/** What `npm run release` makes, or what is in the folder that RELEASE names: its files, and the executable as a user runs it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const minutes = 60_000
const root = join(import.meta.dirname, '../..')
const name = `analytics-${manifest.version}-linux-${process.arch}`
const home = mkdtempSync(join(tmpdir(), 'analytics-release-'))
const release = process.env.RELEASE ?? join(home, 'release')
const executable = join(release, name)
// No Node is on this path.
const env = { PATH: '/nowhere', HOME: home }

beforeAll(() => {
  if (process.env.RELEASE) return
  execFileSync(process.execPath, [join(root, 'scripts/release/release.mjs'), release], { stdio: 'inherit' })
}, 30 * minutes)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const run = (argv: readonly string[], more = {}) =>
  execFileSync(executable, argv, { env: { ...env, ...more }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

test('it has the package, the executable, licences and notes, and their checksums are right', () => {
  const packed = `analytics-admin-cli-${manifest.version}.tgz`
  const files = ['LICENCES.md', 'NOTES.md', 'SHA256SUMS', packed, name, `${name}.xz`]
  expect(readdirSync(release).toSorted()).toEqual(files.toSorted())
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release })
  expect(readFileSync(join(release, 'NOTES.md'), 'utf8').split('\n')[0]).toBe(`## ${manifest.version}`)
  expect(readFileSync(join(release, 'LICENCES.md'), 'utf8')).toMatch(/^## node-linux-/m)
})

test('the executable prints its version, completes, and includes the sandbox', () => {
  expect(run(['--version'])).toBe(`analytics ${manifest.version}\n`)
  expect(run(['persons', '--help'])).toContain('Usage: analytics persons <command>')
  expect(run(['__complete', '--', 'persons', 'l'])).toContain('list')
  expect(run(['--sandbox', 'persons', 'list', '--search', 'ada'])).toMatch(/^55 +Ada Lovelace/m)
})

test('the executable resumes a killed job', { timeout: 5 * minutes }, async () => {
  const start = (argv: readonly string[], more = {}) =>
    spawn(executable, argv, { env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'ignore'] })
  const server = start(['sandbox', 'serve', '--port', '0', '-o', 'json', '--faults', 'slow=200ms'])
  try {
    const { base_url, api_key, project } = JSON.parse(String((await once(server.stdout, 'data'))[0]))
    const service = { ANALYTICS_BASE_URL: base_url, ANALYTICS_API_KEY: api_key, ANALYTICS_PROJECT: project }
    const ids = ['3', '4', '5', '6', '7', '8']
    const child = start(['persons', 'delete', ...ids, '--yes', '--concurrency', '1', '-o', 'ndjson'], service)
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const job = () => JSON.parse(run(['jobs', 'list', '-o', 'json'], service))[0]
    expect(job()).toMatchObject({ state: 'interrupted' })
    run(['jobs', 'resume', job().id, '--yes'], service)
    expect(job()).toMatchObject({ state: 'done', total: 6, done: 6, failed: 0 })
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})
