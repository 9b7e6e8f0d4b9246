/** What is published, installed as somebody would install it. */
import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { machine } from '../process/program.ts'

const root = join(import.meta.dirname, '../..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'analytics-install-')))
const program = join(folder, 'bin/analytics')

interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly error: ExecFileException | null
}

function run(command: string, args: readonly string[], cwd = folder): Promise<Ended> {
  // npm keeps what it has downloaded in the home folder; not everybody has one.
  const env = { ...machine, HOME: process.env.HOME || folder, ANALYTICS_STATE_DIR: join(folder, 'state') }
  return new Promise(resolve => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => resolve({ stdout, stderr, error }))
  })
}

interface Packed {
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string; readonly mode: number }[]
}

let packed: Packed

beforeAll(async () => {
  // It has just been built.
  const { stdout, stderr } = await run(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    root,
  )
  const answer: unknown = JSON.parse(stdout || JSON.stringify({ failed: stderr }))
  packed = (Array.isArray(answer) ? answer : Object.values(answer as object))[0]
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package is small', () => {
  expect(packed.size).toBeLessThanOrEqual(420 * 1024)
  expect(statSync(join(folder, packed.filename)).size).toBe(packed.size)
})

test('it holds the program and what is to be read about it, nothing else', () => {
  const places = new Set(packed.files.map(({ path }) => (path.includes('/') ? `${path.split('/')[0]}/` : path)))
  const meant = ['bin/', 'dist/', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
  expect([...places].filter(place => !meant.includes(place))).toEqual([])
  expect([...places]).toEqual(expect.arrayContaining(['bin/', 'dist/', 'LICENSE', 'README.md', 'package.json']))
  expect(packed.files.some(({ path }) => path.startsWith('dist/cache'))).toBe(false)
})

test('nothing runs when it is installed', () => {
  const scripts: readonly string[] = Object.keys(manifest.scripts)
  expect(scripts.filter(name => /^(pre|post)?install$/.test(name))).toEqual([])
})

describe('installed with npm i -g', () => {
  let installed: Ended
  beforeAll(async () => {
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0', '--fetch-timeout=20000']
    installed = await run('npm', ['install', '--global', '--prefix', folder, ...quiet, packed.filename])
  }, 120_000)

  /** Its one dependency, the sandbox's database, comes from the registry or npm's cache. */
  const unreachable = () =>
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|FETCH_ERROR|CERT/.test(
      installed.stderr,
    )

  test('it answers', async ({ skip }) => {
    if (installed.error && unreachable()) skip('The registry cannot be reached, and npm has no copy')
    expect(installed.error).toBeNull()
    const { stdout } = await run(program, ['--version'])
    expect(stdout).toBe(`analytics ${manifest.version}\n`)
  })

  test('man finds its pages', ({ skip }) => {
    if (installed.error && unreachable()) skip('The registry cannot be reached, and npm has no copy')
    if (process.platform === 'win32') skip('Windows has no man')
    for (const page of manifest.man) expect(existsSync(join(folder, 'share/man/man1', basename(page)))).toBe(true)
  })

  test('it has its sandbox with it', async ({ skip }) => {
    if (installed.error && unreachable()) skip('The registry cannot be reached, and npm has no copy')
    const { stdout, stderr } = await run(program, ['--sandbox', 'persons', 'list', '--search', 'ada'])
    expect(stdout).toMatch(/^55 +Ada Lovelace +ada@example\.com/m)
    expect(stderr).toBe('sandbox: made-up data on this machine\n')
  })
})
