/** The npm package as npm and the tools that judge packages see it; each tool is installed into a folder of its own. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { name, newFolder, release } from './program.ts'

const minutes = 60_000
const packed = join(release, `analytics-admin-cli-${manifest.version}.tgz`)

/** The folder of packages. */
function installed(...packages: readonly string[]): string {
  const folder = newFolder()
  const options = ['--silent', '--no-audit', '--no-fund', '--prefix', folder]
  execFileSync('npm', ['install', ...options, ...packages], { stdio: ['ignore', 'ignore', 'inherit'] })
  return join(folder, 'node_modules')
}

describe.each(['11', '12'])('npm %s', version => {
  test.each([
    ['for everybody, with the optional package', ['--global'], 30_000_000],
    ['into a project, without it', ['--omit=optional'], 2_000_000],
  ] as const)('installs it %s, and has no script to ask about', { timeout: 5 * minutes }, (_, options, most) => {
    // npm 12 needs a newer Node than the oldest that the tool supports.
    const tools = installed(`npm@${version}`, 'node@24')
    const PATH = `${join(tools, 'node/bin')}:/usr/bin:/bin`
    const prefix = newFolder()
    mkdirSync(join(prefix, 'lib'))
    const words = ['install', '--prefix', prefix, '--strict-allow-scripts', '--no-audit', ...options, packed]
    const { status, stdout, stderr } = spawnSync('node', [join(tools, 'npm/bin/npm-cli.js'), ...words], {
      env: { ...process.env, PATH },
      encoding: 'utf8',
    })
    expect([status, stdout + stderr]).toEqual([0, expect.not.stringMatching(/script/)])
    expect(Number(execFileSync('du', ['-sb', prefix], { encoding: 'utf8' }).split('\t')[0])).toBeLessThan(most)

    const isGlobal = options[0] === '--global'
    const program = join(prefix, isGlobal ? 'bin/analytics' : 'node_modules/.bin/analytics')
    const run = (node: string, ...argv: readonly string[]) => {
      const { stdout, stderr } = spawnSync(node, [program, ...argv], {
        env: { PATH, HOME: prefix, ANALYTICS_STATE_DIR: join(prefix, 'state') },
        encoding: 'utf8',
      })
      return stdout + stderr
    }
    const list = ['--sandbox', 'persons', 'list', '--search', 'ada', '-o', 'ids', '-q']
    expect(run('node', ...list)).toMatch(/^55\n/)
    const hasOwn = Number(process.versions.node.split('.')[0]) > 22
    const isMissing = !isGlobal && !hasOwn
    expect(run(process.execPath, ...list)).toMatch(
      isMissing ? /needs the package libsql.*\n.*Use Node 22\.13/ : /^55\n/,
    )
    expect(run(process.execPath, 'profiles', 'list')).toMatch(/^No profiles yet/)
  })
})

test('publint has nothing to say', { timeout: 5 * minutes }, () => {
  const tool = join(installed('publint@0.3.25'), '.bin/publint')
  const { stdout, status } = spawnSync(tool, ['run', packed, '--strict'], { encoding: 'utf8' })
  expect([status, stdout]).toEqual([0, expect.stringMatching(/All good!/)])
})

test('the SBOMs are valid CycloneDX', { timeout: 5 * minutes }, async () => {
  const tools = installed('@cyclonedx/cyclonedx-library@10', 'ajv', 'ajv-formats', 'ajv-formats-draft2019')
  const script = `import { readFileSync } from 'node:fs'
    import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    for (const file of process.argv.slice(1)) {
      const fault = await validator.validate(readFileSync(file, 'utf8'))
      if (fault !== null) throw new Error(file + JSON.stringify(fault))
    }`
  const files = [`analytics-${manifest.version}`, name, name.replace('x64', 'arm64')].map(
    one => `${join(release, one)}.cdx.json`,
  )
  const words = ['--input-type=module', '--eval', script, ...files]
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: tools, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
})
