/** The built program with each package module that the build replaces in use (`scripts/build.mjs`). */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { selfSigned, serve, serveTls, tunnelTo } from '../http/loopback.ts'
import { analytics, type Env } from '../process/program.ts'
import { hasTerminal, openTerminal } from '../process/terminal.ts'
import { personRow } from '../server.ts'

const key: Env = { ANALYTICS_API_KEY: 'key', ANALYTICS_PROJECT: '1' }
const page = (rows: readonly unknown[]) =>
  JSON.stringify({ count: rows.length, next: null, previous: null, results: rows })
const listTo = (url: URL | string, more: Env = {}, argv = ['-o', 'ids']) =>
  analytics(['persons', 'list', ...argv], { ...key, ANALYTICS_BASE_URL: String(url), ...more })

test('HTTPS, directly and through the tunnel of a proxy', async ({ skip }) => {
  const certificate = selfSigned('analytics.example.com')
  const local = selfSigned('localhost')
  if (!certificate || !local) return skip('There is no openssl here to make a certificate with')
  const folder = mkdtempSync(join(tmpdir(), 'analytics-bundle-'))
  const ANALYTICS_CA_FILE = join(folder, 'ca.pem')
  writeFileSync(ANALYTICS_CA_FILE, `${certificate.cert}\n${local.cert}`)
  const direct = await serveTls(local, (_, response) => response.end(page([personRow(1)])))
  expect(await listTo(`https://localhost:${direct.port}`, { ANALYTICS_CA_FILE })).toEqual({
    stdout: '1\n',
    stderr: '',
    code: 0,
  })
  const far = await serveTls(certificate, (_, response) => response.end(page([personRow(2)])))
  const tunnel = await tunnelTo(Number(far.port))
  const env = { ANALYTICS_CA_FILE, HTTPS_PROXY: `http://ada:secret@${tunnel.url.host}` }
  expect(await listTo('https://analytics.example.com', env)).toMatchObject({ stdout: '2\n', code: 0 })
  expect(tunnel.asked).toMatchObject([{ target: 'analytics.example.com:443' }])
})

test('a compressed response, and one of 20 MB in pieces of any size', async () => {
  const packed = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(page([personRow(7)]))),
  )
  expect(await listTo(packed)).toMatchObject({ stdout: '7\n', code: 0 })
  const rows = Array.from({ length: 20_000 }, (_, i) => personRow(i + 1))
  const body = page(rows)
  const large = await serve(async (_, response) => {
    for (let from = 0, size = 1; from < body.length; from += size, size = (size * 7 + 13) % 99_991) {
      response.write(body.slice(from, from + size))
    }
    response.end()
  })
  const { stdout, code } = await listTo(large, {}, ['-o', 'ndjson', '--limit', '20000'])
  expect([stdout.trimEnd().split('\n').length, code]).toEqual([20_000, 0])
  expect(JSON.parse(stdout.slice(stdout.trimEnd().lastIndexOf('\n') + 1))).toEqual(rows.at(-1))
})

test('a table with wide characters, emoji, accents and colors keeps its columns', async () => {
  const names = ['Ada', '東京', '👩‍👩‍👧', 'Ünïcödé', 'e\u0301a', '\u001b[31mred']
  const rows = names.map((name, i) => ({ ...personRow(i + 1), name, properties: { email: `${i}@example.com` } }))
  const server = await serve((_, response) => response.end(page(rows)))
  const { stdout, code } = await listTo(server, {}, ['--fields', 'id,name,distinct_ids'])
  expect(code).toBe(0)
  expect(stdout).toMatchInlineSnapshot(`
    "ID  Name           Distinct IDs
    1   Ada            person-1
    2   東京           person-2
    3   👩‍👩‍👧             person-3
    4   Ünïcödé        person-4
    5   éa             person-5
    6   \\u001b[31mred  person-6
    "
  `)
})

test.skipIf(!hasTerminal)('a spinner turns while the service takes its time', async () => {
  let respond = () => {}
  const server = await serve((_, response) => {
    respond = () => void response.end(page([personRow(9)]))
  })
  const terminal = openTerminal(['persons', 'list'], { ...key, ANALYTICS_BASE_URL: server.href }, {})
  await terminal.shows('Waiting for the server')
  respond()
  expect(await terminal.ended).toBe(0)
  expect(terminal.bytes()).toContain('Person 9')
})

// On Windows, Node aborts if the title of the process is read and the console has none.
test('a command writes its configuration and reads it again, without the title of the process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-bundle-'))
  const untitled = join(folder, 'untitled.cjs')
  writeFileSync(
    untitled,
    `const get = Object.getOwnPropertyDescriptor
     Object.getOwnPropertyDescriptor = (of, name) => of === process && name === 'title' ? process.exit(9) : get(of, name)`,
  )
  const env = { ANALYTICS_CONFIG_DIR: folder, NODE_OPTIONS: `--require ${untitled}` }
  const add = ['profiles', 'add', 'prod', '--base-url', 'https://analytics.example.com', '--project', '1', '--yes']
  expect(await analytics([...add, '--api-key-stdin'], env, 'a-key\n')).toMatchObject({ code: 0 })
  expect((await analytics(['profiles', 'list', '-o', 'ids'], env)).stdout).toBe('prod\n')
  if (!hasTerminal) return
  const server = await serve((_, response) => response.end(page([personRow(9)])))
  const terminal = openTerminal(['persons', 'list'], { ...key, ...env, ANALYTICS_BASE_URL: server.href }, {})
  expect(await terminal.ended).toBe(0)
})
