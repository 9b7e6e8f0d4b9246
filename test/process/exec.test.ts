import { chmodSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { analytics, emptyHome } from './program.ts'

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
    ANALYTICS_BASE_URL: 'https://analytics.example.com/prefix',
    ANALYTICS_API_KEY: 'a-key-of-the-real-service',
    ANALYTICS_API_KEY_FILE: '/run/secrets/key',
    ANALYTICS_PROFILE: 'prod',
    ANALYTICS_PROJECT: '4711',
    ANALYTICS_ORGANIZATION: '018f0000-0000-4000-8000-00000000beef',
    CURL_HEADER: 'Authorization: Bearer a-key-of-the-real-service',
    PERSONS: 'https://analytics.example.com/prefix/api/projects/4711/persons/',
    http_proxy: 'http://127.0.0.1:1',
    KEPT: 'yes',
  }
  const argv = ['sandbox', 'exec', '--', process.execPath, '--input-type=module', '-e', environment]
  const { stdout, stderr, code } = await analytics(argv, real)
  expect(code).toBe(0)
  expect(stderr).toContain(
    `sandbox: ${['ANALYTICS_BASE_URL', 'ANALYTICS_API_KEY', 'ANALYTICS_API_KEY_FILE', 'ANALYTICS_PROFILE'].join(', ')}, CURL_HEADER, PERSONS ignored\n`,
  )
  const { seen, env } = JSON.parse(stdout)
  expect(seen).toEqual([expect.stringMatching(/^200 .*Ada Lovelace/), expect.stringMatching(/^200 /)])
  expect(stdout).not.toMatch(/a-key-of-the-real-service|analytics\.example\.com|4711|beef|secrets/)
  expect(env).toMatchObject({ KEPT: 'yes', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' })
  expect(env).not.toHaveProperty('ANALYTICS_PROFILE')
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
