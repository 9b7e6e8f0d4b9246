/** The published package, installed as a user installs it. */
import { type ExecFileException, execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { needsPosix } from '../posix.ts'
import { machine } from '../process/program.ts'

needsPosix('npm without a shell')

const root = join(import.meta.dirname, '../..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'analytics-install-')))
const program = join(folder, 'bin/analytics')

interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly error: ExecFileException | null
}

function run(command: string, args: readonly string[], cwd = folder): Promise<Ended> {
  // npm keeps downloads in the home folder, which may be missing.
  const env = { ...machine, HOME: process.env.HOME || folder, ANALYTICS_STATE_DIR: join(folder, 'state') }
  return new Promise(resolve => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => resolve({ stdout, stderr, error }))
  })
}

interface Packed {
  /** The file of the package. */
  readonly file: string
  readonly files: readonly string[]
  readonly manifest: Readonly<Record<string, unknown>>
  readonly readme: string
}

let packed: Packed

beforeAll(async () => {
  const { stdout } = await run(process.execPath, [join(root, 'scripts/release/pack.mjs'), folder])
  const file = join(folder, stdout.trim())
  const read = async (name: string) => (await run('tar', ['-xOzf', file, `package/${name}`])).stdout
  packed = {
    file,
    files: (await run('tar', ['-tzf', file])).stdout
      .trim()
      .split('\n')
      .map(path => path.replace('package/', '')),
    manifest: JSON.parse(await read('package.json')),
    readme: await read('README.md'),
  }
})

test('the package is small', () => {
  expect(statSync(packed.file).size).toBeLessThanOrEqual(300 * 1024)
})

test('it holds the program and its documents, nothing else', () => {
  const places = new Set(packed.files.map(path => (path.includes('/') ? `${path.split('/')[0]}/` : path)))
  const meant = ['bin/', 'dist/', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
  expect([...places].toSorted()).toEqual(meant.toSorted())
})

test('it has no install script, and names the project', () => {
  expect(Object.keys(packed.manifest)).not.toContain('scripts')
  expect(Object.keys(packed.manifest)).not.toContain('devDependencies')
  expect(packed.manifest).toMatchObject({
    repository: { type: 'git', url: expect.stringMatching(/^git\+https:.*\.git$/) },
    bugs: expect.stringMatching(/^https:.*\/issues$/),
    homepage: expect.stringMatching(/^https:/),
  })
})

test('its README begins with npm install, and its links lead to the web', () => {
  const [first = ''] = /(?<=```sh\n)[^`]*/.exec(packed.readme) ?? []
  expect(first).toBe(`npm install --global ${manifest.name}\nanalytics --sandbox persons list --search ada\n`)
  expect(packed.readme).not.toMatch(/npm ci|npm test|PWD/)
  const links = [...packed.readme.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter(link => !/^https:\/\/github\.com\//.test(link ?? ''))).toEqual([])
})

describe('installed with npm i -g', () => {
  let installed: Ended
  beforeAll(async () => {
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0', '--fetch-timeout=20000']
    installed = await run('npm', ['install', '--global', '--prefix', folder, ...quiet, packed.file])
  }, 120_000)

  test('it prints its version', async () => {
    expect(installed.error).toBeNull()
    const { stdout } = await run(program, ['--version'])
    expect(stdout).toBe(`analytics ${manifest.version}\n`)
  })

  test('its sandbox works, or the missing package is named', async () => {
    const { stdout, stderr } = await run(program, ['--sandbox', 'persons', 'list', '--search', 'ada'])
    // npm leaves out an optional package that it cannot fetch.
    if (stdout === '') return expect(stderr).toContain('needs the package libsql')
    expect(stdout).toMatch(/^55 +Ada Lovelace +ada@example\.com/m)
    expect(stderr).toBe('sandbox: made-up data on this machine\n')
  })
})
