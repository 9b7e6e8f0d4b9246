/** Headers for an access proxy: their source, their destination, and their secrecy. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, serve } from '../server.ts'
import { startService } from '../service.ts'
import { holdsSecret, spellings } from '../spellings.ts'

const secret = 'cf-secret/1234+5678'
const text = `# for the access proxy\r\nCF-Access-Client-Id: client-id.access\r\nCF-Access-Client-Secret: ${secret}\r\n\r\n`

async function withHeaders(content = text, answer?: Parameters<typeof startService>[0]) {
  const service = await startService(answer)
  const file = join(service.world.folder, 'headers')
  writeFileSync(file, content, { mode: 0o600 })
  const add = ['profiles', 'add', 'prod', '--base-url', service.server.url, '--api-key-stdin']
  const received = () => service.server.asked.map(({ headers }) => headers['cf-access-client-secret'])
  return { ...service, file, add, received, fromEnvironment: { ANALYTICS_HEADERS_FILE: file } }
}

test('headers are sent with the key of the same source: environment or profile', async () => {
  const { run, world, env, add, received, fromEnvironment } = await withHeaders()
  expect((await run('persons delete 1 2 --yes', { env: fromEnvironment })).code).toBe(0)
  await world.run([...add, '--headers-file', 'headers'], { stdin: 'key-of-profile' })
  expect((await world.run(['projects', 'list'])).code).toBe(0)
  expect(new Set(received())).toEqual(new Set([secret]))
  const before = received().length
  const other = await world.run(['projects', 'list'], { env })
  await world.run(['profiles', 'set', 'prod', '--headers-file', 'none'])
  const own = await world.run(['projects', 'list'], { env: fromEnvironment })
  expect([other.code, own.code, received().slice(before)]).toEqual([0, 0, [undefined, undefined]])
  expect(own.stderr).toContain('ANALYTICS_HEADERS_FILE ignored')
})

test('headers are not sent when the base URL of a profile changes to another host', async () => {
  const { world, add } = await withHeaders()
  await world.run([...add, '--headers-file', 'headers'], { stdin: 'key-of-profile' })
  const move = ['profiles', 'set', 'prod', '--base-url', 'https://other.example.com', '--api-key-stdin']
  const { code, stderr } = await world.run(move, { stdin: 'another-key' })
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('and the headers file of this profile is never sent there'),
  ])
  expect((await world.run([...move, '--headers-file', 'none'], { stdin: 'another-key' })).code).toBe(0)
})

test('headers follow no redirect and no next link', async () => {
  const elsewhere = await serve((_, response) => json(response, { results: [], next: null }))
  const { run, server, fromEnvironment } = await withHeaders(text, ({ query }, response) =>
    query.has('offset')
      ? void response.writeHead(302, { location: elsewhere.url }).end()
      : json(response, { results: [{ id: 1 }], next: `${elsewhere.url}api/projects/?offset=1` }),
  )
  await run('projects list --all', { env: fromEnvironment })
  expect([server.asked.length, elsewhere.asked.length]).toEqual([2, 0])
})

test('hides headers that a server repeats, in every spelling', async () => {
  const all = Object.values(spellings).map(spell => spell(secret))
  const { run, fromEnvironment } = await withHeaders(text, (_, response) =>
    json(response.setHeader('x-echo', secret), { detail: all.join(' '), code: 'invalid_input', attr: secret }, 400),
  )
  for (const line of ['persons list --debug', 'persons get 1 -o json', 'persons delete 1 2 --yes', 'doctor -o json']) {
    const { stdout, stderr, code } = await run(line, { env: fromEnvironment })
    expect([line, code > 0, holdsSecret(stdout + stderr, secret)]).toEqual([line, true, false])
  }
})

test.each([
  ['Authorization: Bearer x', 'Authorization is not for this file'],
  ['authorization: Bearer x', 'authorization is not for this file'],
  ['Host: other.example.com', 'Host is not for this file'],
  ['Content-Type: text/plain', 'Content-Type is not for this file'],
  ['Content-Length: 0', 'Content-Length is not for this file'],
  ['Connection: close', 'Connection is not for this file'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding is not for this file'],
  ['Proxy-Authorization: Basic x', 'Proxy-Authorization is not for this file'],
  ['X-HTTP-Method-Override: DELETE', 'X-HTTP-Method-Override is not for this file'],
  ['x_http_method_override: DELETE', 'x_http_method_override is not for this file'],
  ['X-A', 'it does not begin with the name of a header and a colon'],
  ['X A: secret-value', 'it does not begin with the name of a header and a colon'],
  ['-H "X-A: secret-value"', 'it does not begin with the name of a header and a colon'],
  ['X-A:   ', 'X-A has no value'],
  ['X-A: secret\u0000value', 'the value of X-A has characters that are not allowed in a header'],
  ['X-A: secret\rX-B: value', 'the value of X-A has characters that are not allowed in a header'],
  ['x-first: other', 'x-first is given twice'],
])('%j is refused with file and line, before any request', async (line, problem) => {
  const { run, server, file, fromEnvironment: env } = await withHeaders(`X-First: 1\n${line}\n`)
  const { code, stderr } = await run('projects list', { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}, line 2: ${problem}`)])
  expect([stderr.includes('secret'), server.asked]).toEqual([false, []])
})

test('a missing or empty headers file exits with 2', async () => {
  const empty = await withHeaders('# nothing yet\n')
  expect((await empty.run('projects list', { env: empty.fromEnvironment })).code).toBe(2)
  expect((await empty.run('projects list', { env: { ANALYTICS_HEADERS_FILE: 'nowhere' } })).code).toBe(2)
  expect((await empty.world.run([...empty.add, '--headers-file', 'nowhere'], { stdin: 'key-of-it' })).code).toBe(2)
})
