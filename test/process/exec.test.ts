import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { analytics, bin, emptyHome, start } from './program.ts'

function scriptOf(...lines: readonly string[]): string {
  const script = join(mkdtempSync(join(tmpdir(), 'analytics-exec-')), 'purge.sh')
  writeFileSync(script, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(script, 0o755)
  return script
}

test("somebody's script runs on the sandbox, whatever service its environment names, and ends with its own code", async () => {
  const script = scriptOf(
    'for id in $(analytics persons list --search ada@ -o ids); do analytics persons delete "$id" --yes; done',
    'analytics persons list --search ada@ -o json',
    'exit 5',
  )
  const { stdout, stderr, code } = await analytics(['sandbox', 'exec', '--', script], {
    ANALYTICS_BASE_URL: 'http://127.0.0.1:1',
    ANALYTICS_API_KEY: 'a-key-of-the-real-service',
  })
  expect([stdout, code]).toEqual(['[]\n', 5])
  expect(stderr).toContain('Deleted person 55 of project 1 (sandbox)')
  expect(stderr.match(/sandbox: .* ignored/g)).toEqual(['sandbox: ANALYTICS_BASE_URL, ANALYTICS_API_KEY ignored'])
  expect(stderr).not.toContain('a-key-of-the-real-service')
})

test('a script that empties its environment stays on the same sandbox, away from the real profiles', async () => {
  const home = emptyHome()
  const state = join(home, 'it\'s 100% "$HOME" `pwd`')
  const script = scriptOf(
    'clean() { env -i PATH="$PATH" HOME="$HOME" "$@"; }',
    'clean analytics persons delete 55 --yes && echo deleted',
    'clean analytics profiles add prod --base-url http://127.0.0.1:1 --api-key-command pwd && echo added',
    'ANALYTICS_SANDBOX= ANALYTICS_STATE_DIR= analytics persons get 55 || echo $?',
    'unset ANALYTICS_SANDBOX ANALYTICS_STATE_DIR',
    'analytics persons get 55 || echo $?',
    'cat "$(dirname "$(command -v analytics)")/analytics.cmd"',
  )
  const { stdout } = await analytics(['sandbox', 'exec', '--', script], { HOME: home, ANALYTICS_STATE_DIR: state })
  const [outcomes, cmd] = stdout.split('@setlocal')
  expect(outcomes).toBe('deleted\nadded\n3\n3\n')
  const doubled = state.replaceAll('%', '%%')
  expect(cmd?.split('\r\n')).toEqual(
    expect.arrayContaining([
      '@set ANALYTICS_SANDBOX=1',
      `@if not defined ANALYTICS_STATE_DIR set "ANALYTICS_STATE_DIR=${doubled}"`,
      `@if not defined ANALYTICS_CONFIG_DIR set "ANALYTICS_CONFIG_DIR=${doubled}/sandbox-config"`,
    ]),
  )
  expect(readdirSync(home)).toEqual([basename(state)])
})

test('the dialect, the faults and the project reach every analytics in it, however it is called', async () => {
  const home = emptyHome()
  await analytics(['--sandbox', 'projects', 'create', '--name', 'Second'], { HOME: home })
  const byPath = `'${process.execPath}' '${bin}'`
  const called = ['analytics', byPath, 'env -i PATH="$PATH" analytics']
  const script = scriptOf(
    'echo "$ANALYTICS_SANDBOX $ANALYTICS_PROJECT"',
    ...called.flatMap(name => [`${name} projects get -o ids`, `${name} persons list --project 1 --limit 1 -o ids`]),
  )
  const options = ['--project', '2', '--dialect', 'observed', '--faults', 'slow=1ms,429@0.5%', '--seed', '4']
  const { stdout } = await analytics(['sandbox', 'exec', ...options, '--', script], { HOME: home })
  const [first, ...rest] = stdout.split('\n')
  expect(first).toBe('dialect=observed;faults=slow=1ms,429@0.5%;seed=4 2')
  const uuid = expect.stringMatching(/^[\da-f-]{36}$/)
  expect(rest).toEqual(['2', uuid, '2', uuid, '2', uuid, ''])
})

test('a sandbox without a project left runs a script that creates one', async () => {
  const env = { HOME: emptyHome() }
  const create = scriptOf(
    'for id in $(analytics projects list -o ids); do analytics projects delete "$id" --yes; done',
    'analytics projects list -o ids',
  )
  expect(await analytics(['sandbox', 'exec', '--', create], env)).toMatchObject({ code: 0, stdout: '' })
  const served = start(['sandbox', 'serve', '--port', '0', '-o', 'json'], env)
  served.child.stdout?.once('data', () => served.child.kill('SIGTERM'))
  expect(JSON.parse((await served.finished).stdout)).toMatchObject({ project: null })
  const again = scriptOf(
    'env | grep ANALYTICS_PROJECT= || echo unset',
    'analytics persons list || echo $?',
    'analytics projects create --name First -o ids',
    'analytics projects get -o ids',
    'env -i PATH="$PATH" analytics persons list',
  )
  const { stdout, stderr, code } = await analytics(['sandbox', 'exec', '--', again], {
    ...env,
    ANALYTICS_PROJECT: '42',
  })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^unset\n2\n(\d+)\n\1\n$/)])
  expect(stderr).toContain('The sandbox has no project left.\nCreate one with analytics projects create')
})

test.each([
  [['exec', '--project', '77', '--', 'true'], 'The sandbox has no project 77.'],
  [['serve', '--port', '0', '--project', '77'], 'The sandbox has no project 77.'],
  [['exec', '--organization', '018f0000-0000-4000-8000-00000000beef', '--', 'true'], 'The sandbox has no organization'],
  [['exec', '-o', 'json', '--', 'true'], '--output does not reach the programs that use the sandbox'],
  [['exec', '--dry-run', '--', 'true'], '--dry-run does not reach the programs that use the sandbox.'],
  [['exec', '--yes', '--', 'true'], '--yes does not reach the programs that use the sandbox.'],
  [['exec', '--timeout', '5', '--', 'true'], '--timeout does not reach the programs that use the sandbox.'],
])('sandbox %j is a usage error', async (argv, problem) => {
  const { stderr, code } = await analytics(['sandbox', ...argv])
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
})

test.each([
  ['dialect=observed;speed=7', 'ANALYTICS_SANDBOX: "speed=7" is none of dialect, faults, seed.'],
  ['dialect=other', 'ANALYTICS_SANDBOX: '],
  ['seed=4;', 'ANALYTICS_SANDBOX: '],
])('ANALYTICS_SANDBOX=%s is a usage error', async (value, problem) => {
  const { stderr, code } = await analytics(['persons', 'list'], { ANALYTICS_SANDBOX: value })
  expect([code, stderr]).toEqual([2, expect.stringContaining(problem)])
})

/** What every process in it finds, as JSON; the last word of each answer of the service is its status. */
const environment = `const { ANALYTICS_BASE_URL, ANALYTICS_API_KEY, ANALYTICS_PROJECT, ANALYTICS_ORGANIZATION } = process.env
const get = async path => {
  const answer = await fetch(ANALYTICS_BASE_URL + path, { headers: { authorization: 'Bearer ' + ANALYTICS_API_KEY } })
  return answer.status + ' ' + (await answer.text())
}
const seen = [
  await get('/api/projects/' + ANALYTICS_PROJECT + '/persons/55/'),
  await get('/api/organizations/' + ANALYTICS_ORGANIZATION + '/plugins/'),
]
console.log(JSON.stringify({ seen, env: process.env }))`

test('for everything else the sandbox is served, and nothing leads to the real service', async () => {
  const real = {
    ANALYTICS_BASE_URL: 'https://analytics.example.com:8443/prefix',
    ANALYTICS_API_KEY: 'a-key-of-the-real-service',
    ANALYTICS_API_KEY_FILE: '/run/secrets/key',
    ANALYTICS_PROFILE: 'prod',
    ANALYTICS_PROJECT: '4711',
    ANALYTICS_ORGANIZATION: '018f0000-0000-4000-8000-00000000beef',
    CURL_HEADER: 'Authorization: Bearer a-key-of-the-real-service',
    KEY_FILE: '/run/secrets/key',
    http_proxy: 'http://127.0.0.1:1',
    KEPT: 'yes',
  }
  const argv = ['sandbox', 'exec', '--', process.execPath, '--input-type=module', '-e', environment]
  const { stdout, stderr, code } = await analytics(argv, real)
  expect(code).toBe(0)
  expect(stderr).toContain(
    `sandbox: ${['ANALYTICS_BASE_URL', 'ANALYTICS_API_KEY', 'ANALYTICS_API_KEY_FILE', 'ANALYTICS_PROFILE'].join(', ')}, CURL_HEADER, KEY_FILE ignored\n`,
  )
  const { seen, env } = JSON.parse(stdout)
  expect(seen).toEqual([expect.stringMatching(/^200 .*Ada Lovelace/), expect.stringMatching(/^200 /)])
  expect(stdout).not.toMatch(/a-key-of-the-real-service|analytics\.example\.com|4711|beef|secrets/i)
  expect(env).toMatchObject({ KEPT: 'yes', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' })
  expect(env).not.toHaveProperty('ANALYTICS_PROFILE')
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('where no terminal sends it to both, %s is passed on to the command', async (signal, code) => {
  const { child, finished } = start(['sandbox', 'exec', '--', 'sh', '-c', 'echo begun; exec sleep 60'])
  child.stdout?.once('data', () => child.kill(signal))
  expect(await finished).toMatchObject({ stdout: 'begun\n', code })
})

test('a curl is told on stderr where servers answer otherwise than the document shows', async () => {
  const get = `await fetch(process.env.ANALYTICS_BASE_URL + '/api/projects/1/persons/retention/', {
    headers: { authorization: 'Bearer ' + process.env.ANALYTICS_API_KEY } })`
  const argv = ['sandbox', 'exec', '--', process.execPath, '--input-type=module', '-e', `${get}; ${get}`]
  expect((await analytics(argv)).stderr.match(/servers answer otherwise/g)).toHaveLength(1)
})

test('it is served only while the command runs', async () => {
  const print = 'console.log(process.env.ANALYTICS_BASE_URL)'
  const { stdout } = await analytics(['sandbox', 'exec', '--', process.execPath, '-e', print])
  await expect(fetch(stdout.trim())).rejects.toThrow()
})

test('a command that cannot be started is a usage error', async () => {
  const { stderr, code } = await analytics(['sandbox', 'exec', '--', 'no-such-command'])
  expect(stderr).toContain('no-such-command cannot be started.')
  expect(code).toBe(2)
})
