/** `analytics doctor` on machines and services in which something is wrong. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { selfSigned, serveTls } from '../http/loopback.ts'
import { analytics } from '../process/program.ts'
import { type Answer, json } from '../server.ts'
import { startService } from '../service.ts'
import { newWorld } from '../world.ts'

interface Row {
  readonly check: string
  readonly status: string
  readonly what: string
  readonly hint: string | null
}

async function examined(env: Readonly<Record<string, string>>, words: readonly string[] = [], world = newWorld()) {
  const { stdout, stderr, code } = await world.run(['doctor', ...words, '-o', 'json'], { env })
  const rows: readonly Row[] = JSON.parse(stdout)
  return { rows, stderr, code, row: (check: string) => rows.find(row => row.check === check) }
}

test('with nothing configured it says how to begin', async () => {
  const { stdout, stderr, code } = await newWorld().run(['doctor'])
  expect(stdout).toMatch(/^fail {2}service +No base URL given/m)
  expect(stderr).toMatch(
    /Run analytics profiles add NAME or profiles use NAME, set ANALYTICS_BASE_URL and ANALYTICS_API_KEY, or try --sandbox/,
  )
  expect(code).toBe(4)
})

const answering: Answer = (_, response) => json(response, { id: 1, name: 'Hedgehog Press' })

describe('a service', () => {
  test('in which all is well', async () => {
    const { env, server, world } = await startService(answering)
    const { rows, row, code } = await examined(env, [], world)
    expect(code).toBe(0)
    expect(rows.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'program ok',
      'state folder ok',
      'configuration ok',
      'service ok',
      'key ok',
      'project ok',
      'answer ok',
    ])
    expect(row('program')?.what).toBe('analytics 0.0.0-test, Node.js 22.0.0, linux x64')
    expect(row('service')?.what).toBe(`${server.url} (ANALYTICS_BASE_URL)`)
    expect(row('key')?.what).toBe('from ANALYTICS_API_KEY')
    expect(row('project')?.what).toBe('1 (ANALYTICS_PROJECT)')
    expect(row('answer')?.what).toMatch(/^The service answered in \d+ ms: Hedgehog Press$/)
    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/projects/1/'])
  })

  test('for which it may wait longer than a timer lasts', async () => {
    const { env } = await startService(answering)
    const { stderr, code } = await analytics(['doctor', '--timeout', '100000000'], env)
    expect(stderr).not.toMatch(/Timeout/)
    expect(code).toBe(0)
  })

  test.each([
    ['another project', '{"id":77,"name":"Hedgehog Press"}', 'another record than 1, which was asked for'],
    ['nothing', '', 'an empty body instead of one record'],
    ['a list', '[]', 'a list instead of one record'],
    ['an object that is no project', '{}', 'a record without an id'],
  ])('that answers with %s', async (_, body, what) => {
    const { env, world } = await startService((_, response) => void response.end(body))
    const { row, rows, code } = await examined(env, [], world)
    expect([code, row('answer')]).toMatchObject([5, { status: 'fail', what: `Unexpected response: ${what}` }])
    expect(rows.at(-1)).toBe(row('answer'))
  })

  test.each([
    ['refuses the key', 401, '{"code":"authentication_failed","detail":"Invalid key."}', 4],
    ['does not let the key in', 403, '{"detail":"No."}', 4],
    ['does not have the project', 404, '{"detail":"Not found."}', 3],
    ['is throttling', 429, '{"detail":"Expected available in 3 seconds."}', 6],
    ['is broken', 502, '<html>Bad gateway', 7],
    ['is a web page', 200, '<html>', 5],
    ['is at another address', 302, '', 5],
  ])('that %s: %d', async (_, status, body, exit) => {
    const { env } = await startService((_, response) => {
      const type = body.startsWith('<') ? 'text/html' : 'application/json'
      response.writeHead(status, { 'content-type': type, location: '/login' }).end(body)
    })
    const { rows, code, stderr } = await examined(env)
    expect([rows.find(row => row.status === 'fail')?.check, code]).toEqual(['answer', exit])
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.exit).toBe(exit)
  })

  test('that nobody offers', async () => {
    const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1', ANALYTICS_API_KEY: 'key' }
    const { row, code } = await examined(env)
    expect([row('answer')?.status, row('answer')?.what, code]).toEqual([
      'fail',
      '127.0.0.1:1 refused the connection',
      7,
    ])
  })

  test('that has no projects where the base URL leads', async () => {
    const { env, server } = await startService((_, response) => json(response, { detail: 'Endpoint not found.' }, 404))
    const { row, code } = await examined({ ...env, ANALYTICS_BASE_URL: `${server.url}api`, ANALYTICS_PROJECT: '' })
    expect([row('answer'), code]).toEqual([
      {
        check: 'answer',
        status: 'fail',
        what: 'Not found (404): Endpoint not found',
        hint: `Check the base URL: perhaps it should be ${server.url}`,
      },
      3,
    ])
  })

  test('in which a key of one project may not list projects', async () => {
    const { env } = await startService((_, response) => json(response, { detail: 'No.' }, 403))
    const { row, code } = await examined({ ...env, ANALYTICS_PROJECT: '' })
    expect([row('answer')?.status, row('project')?.status, code]).toEqual(['ok', 'warn', 0])
  })
})

describe('settings', () => {
  test('an address that would send the key in the open', async () => {
    const { row, code } = await examined({ ANALYTICS_BASE_URL: 'http://analytics.example.com', ANALYTICS_API_KEY: 'k' })
    expect([row('service')?.status, code]).toEqual(['fail', 2])
  })

  test('a service without a key', async () => {
    const { row, code } = await examined({ ANALYTICS_BASE_URL: 'https://analytics.example.com' })
    expect([row('service')?.what, code]).toEqual(['There is no key', 4])
  })

  test('a file of keys that is not there', async () => {
    const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1', ANALYTICS_API_KEY_FILE: '/nowhere/key' }
    const { row, code } = await examined(env)
    expect([row('key')?.status, code]).toEqual(['fail', 2])
  })

  test('a proxy that cannot be one', async () => {
    const env = {
      ANALYTICS_BASE_URL: 'https://analytics.example.com',
      ANALYTICS_API_KEY: 'k',
      HTTPS_PROXY: 'socks://secret@proxy.example.com',
    }
    const { rows, row, code } = await examined(env)
    expect([row('answer')?.status, code]).toEqual(['fail', 2])
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  test('a profile that is not there', async () => {
    const { row, code } = await examined({}, ['--profile', 'prod'])
    expect([row('service')?.what, code]).toEqual(['There is no profile "prod"', 4])
  })

  test('the key appears nowhere', async () => {
    const { env, world } = await startService()
    const { stdout, stderr } = await world.run(['doctor', '--debug'], { env })
    expect(stdout + stderr).not.toContain('key-of-environment')
    expect(stderr).toContain('GET /api/projects/1/ 200')
  })

  test('the key appears nowhere where it is in ANALYTICS_PROJECT', async () => {
    const { env, world } = await startService(answering)
    const key = String(env.ANALYTICS_API_KEY)
    writeFileSync(join(world.folder, 'key'), key, { mode: 0o600 })
    const profile = { baseUrl: env.ANALYTICS_BASE_URL, apiKey: key }
    mkdirSync(join(world.folder, 'config'), { mode: 0o700 })
    const config = JSON.stringify({ current: 'own', profiles: { own: profile } })
    writeFileSync(join(world.folder, 'config', 'config.json'), config, { mode: 0o600 })
    const { ANALYTICS_API_KEY, ...others } = env
    for (const source of [env, { ...others, ANALYTICS_API_KEY_FILE: 'key' }, {}]) {
      for (const words of [[], ['-o', 'json']]) {
        const run = await world.run(['doctor', ...words], { env: { ...source, ANALYTICS_PROJECT: key } })
        expect([run.code, run.stdout]).toEqual([2, expect.stringContaining('***')])
        expect(run.stdout + run.stderr).not.toContain(key)
      }
    }
  })

  test('the key of a profile appears nowhere where it is the project of another command', async () => {
    const { env, world } = await startService()
    const profile = ['--base-url', String(env.ANALYTICS_BASE_URL), '--api-key-stdin']
    await world.run(['profiles', 'add', 'own', ...profile], { stdin: 'key-of-own\n' })
    const { stderr, code } = await world.run(['persons', 'list'], { env: { ANALYTICS_PROJECT: 'key-of-own' } })
    expect([code, stderr]).toEqual([2, expect.stringContaining('"***" is not the id of a project')])
  })
})

describe('files', () => {
  test('a state folder that is a file, in the sandbox', async () => {
    const world = newWorld()
    const file = join(world.folder, 'file')
    writeFileSync(file, '')
    const { row, code } = await examined({ ANALYTICS_STATE_DIR: file }, ['--sandbox'], world)
    expect([row('state folder')?.status, row('state folder')?.what, code]).toEqual([
      'fail',
      `${file} cannot be written`,
      2,
    ])
  })

  test.each([[], ['--sandbox']])('a project that is no id, with %j', async (...words) => {
    const env = { ANALYTICS_BASE_URL: 'http://127.0.0.1:1', ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: 'abc' }
    const { row, code } = await examined(env, words)
    const what = '"abc" is not the id of a project'
    expect([row('project')?.status, row('project')?.what, code]).toEqual(['fail', what, 2])
  })

  test('a damaged configuration file', async () => {
    const world = newWorld()
    mkdirSync(join(world.folder, 'config'), { mode: 0o700 })
    writeFileSync(join(world.folder, 'config/config.json'), '{', { mode: 0o600 })
    const { row, code } = await examined({}, [], world)
    expect([row('configuration')?.status, code]).toEqual(['fail', 2])
    expect(row('configuration')?.what).toContain('config.json is damaged')
  })

  test('a state folder that is a file', async () => {
    const world = newWorld()
    writeFileSync(join(world.folder, 'state'), '')
    const { row, code } = await examined({}, [], world)
    expect([row('state folder')?.status, code]).toEqual(['fail', 2])
  })
})

describe('https', () => {
  const certificate = selfSigned('localhost')

  test('a certificate that nobody vouches for, until somebody does', async ({ skip }) => {
    if (!certificate) return skip('There is no openssl here to make a certificate with')
    const { port } = await serveTls(certificate, (_, response) => response.end('{"id":1,"results":[]}'))
    const env = { ANALYTICS_BASE_URL: `https://localhost:${port}`, ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
    const untrusted = await analytics(['doctor'], env)
    expect(untrusted.stdout).toMatch(/^fail {2}answer .*is not trusted/m)
    expect(untrusted.code).toBe(7)

    const file = join(newWorld().folder, 'ca.pem')
    writeFileSync(file, certificate.cert)
    const trusted = await analytics(['doctor'], { ...env, NODE_EXTRA_CA_CERTS: file })
    expect(trusted.stdout).toMatch(/^ok {4}answer /m)
    expect(trusted.code).toBe(0)
  })
})

test('the program, Node.js and the machine are one line for a bug report', async () => {
  const { stdout } = await newWorld().run(['--sandbox', 'doctor', '-o', 'csv', '--no-header'])
  expect(stdout).toMatch(/^program,ok,"analytics 0\.0\.0-test, Node\.js [\d.]+, linux x64"/)
})
