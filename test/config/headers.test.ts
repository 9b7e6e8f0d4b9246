/** Headers of one's own, for an access proxy: where they come from, where they go, and that nobody reads them. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, startServer } from '../server.ts'
import { startService } from '../service.ts'
import { spellings } from '../spellings.ts'
import { newWorld } from '../world.ts'

const secret = 'cf-secret/1234+5678'
const text = `# for the access proxy\r\nCF-Access-Client-Id: client-id.access\r\nCF-Access-Client-Secret: ${secret}\r\n\r\n`

async function withHeaders(content: string, mode = 0o600) {
  const service = await startService()
  const { world } = service
  const file = join(world.folder, 'headers')
  writeFileSync(file, content, { mode })
  chmodSync(file, mode)
  return { ...service, file, fromEnvironment: { ANALYTICS_HEADERS_FILE: file } }
}

const received = (headers: Readonly<Record<string, unknown>> = {}) => [
  headers['cf-access-client-id'],
  headers['cf-access-client-secret'],
]
const both = ['client-id.access', secret]
const spelled = (one: string) => Object.values(spellings).map(write => write(one))

test('a key of the environment goes with the headers that the environment names', async () => {
  const { run, server, fromEnvironment: env } = await withHeaders(text)
  expect(await run('persons delete 1 2 --yes', { env })).toMatchObject({ code: 0 })
  expect(server.asked.length).toBeGreaterThan(1)
  expect(server.asked.map(({ headers }) => received(headers))).toEqual(server.asked.map(() => both))
})

test('a key of a profile goes with the headers of the profile, by a path that holds everywhere', async () => {
  const { world, server, file } = await withHeaders(text)
  const add = ['profiles', 'add', 'prod', '--base-url', server.url, '--api-key-stdin', '--headers-file', 'headers']
  expect((await world.run(add, { stdin: 'key-of-profile' })).code).toBe(0)
  expect((await world.run(['projects', 'list'])).code).toBe(0)
  expect(received(server.asked[0]?.headers)).toEqual(both)
  const shown = await world.run(['profiles', 'show', '-o', 'csv', '--no-header'])
  expect(shown.stdout).toContain(`headers_file,${file},profile,`)
  expect((await world.run(['profiles', 'set', 'prod', '--headers-file', ''])).code).toBe(0)
  expect((await world.run(['projects', 'list'])).code).toBe(0)
  expect(received(server.asked[1]?.headers)).toEqual([undefined, undefined])
})

test('headers of a profile do not go with a key of the environment, nor the other way round, and that is said', async () => {
  const { world, env, server, fromEnvironment } = await withHeaders(text)
  const add = ['profiles', 'add', 'prod', '--base-url', server.url, '--api-key-stdin']
  await world.run([...add, '--headers-file', 'headers'], { stdin: 'key-of-profile' })
  const own = await world.run(['projects', 'list'], { env })
  expect(own.stderr).toContain(
    'The headers file of the profile prod is not used, because the key comes from the environment',
  )
  await world.run(['profiles', 'set', 'prod', '--headers-file', ''])
  const other = await world.run(['projects', 'list'], { env: fromEnvironment })
  expect(other.stderr).toContain('ANALYTICS_HEADERS_FILE is not used, because the key comes from the profile prod')
  expect([own.code, other.code]).toEqual([0, 0])
  expect(server.asked.map(({ headers }) => received(headers))).toEqual(server.asked.map(() => [undefined, undefined]))
})

test('headers stay behind where the base URL of a profile moves to another host', async () => {
  const { world, server } = await withHeaders(text)
  const add = ['profiles', 'add', 'prod', '--base-url', server.url, '--api-key-stdin', '--headers-file', 'headers']
  await world.run(add, { stdin: 'key-of-profile' })
  const move = ['profiles', 'set', 'prod', '--base-url', 'https://other.example.com', '--api-key-stdin']
  const { code, stderr } = await world.run(move, { stdin: 'another-key' })
  expect([code, stderr]).toEqual([2, expect.stringContaining('the headers file of this profile must not go there')])
  const moved = await world.run([...move, '--headers-file', ''], { stdin: 'another-key' })
  expect(moved.code).toBe(0)
})

test('they follow no redirect and no next link', async () => {
  const elsewhere = await startServer((_, response) => json(response, { results: [], next: null }))
  const world = newWorld()
  writeFileSync(join(world.folder, 'headers'), text, { mode: 0o600 })
  const server = await startServer(({ query }, response) =>
    query.has('offset')
      ? void response.writeHead(302, { location: elsewhere.url }).end()
      : json(response, { results: [{ id: 1 }], next: `${elsewhere.url}api/projects/?offset=1` }),
  )
  const env = { ANALYTICS_BASE_URL: server.url, ANALYTICS_API_KEY: 'the-key-1', ANALYTICS_HEADERS_FILE: 'headers' }
  await world.run(['projects', 'list', '--all'], { env })
  expect([server.asked.length, elsewhere.asked.length]).toEqual([2, 0])
  await Promise.all([server.close(), elsewhere.close()])
})

test('what a server repeats of them is hidden in every spelling, and nothing of it is kept', async () => {
  const { world, env, fromEnvironment } = await withHeaders(`${text}Cookie: CF_Authorization=eyJhbGciOi.token; a=b\n`)
  const all = [...spelled(secret), ...spelled('client-id.access'), ...spelled('eyJhbGciOi.token')]
  const server = await startServer((_, response) => {
    response.setHeader('x-echo', secret)
    json(response, { detail: all.join(' '), code: 'invalid_input', attr: secret }, 400)
  })
  const given = { ...env, ...fromEnvironment, ANALYTICS_BASE_URL: server.url }
  const lines = [
    'persons list --debug',
    'persons get 1 -o json',
    'api -i GET /api/projects/1/',
    'persons delete 1 2 --yes --receipt r.json',
    'doctor -o json',
  ]
  for (const line of lines) {
    const { stderr, code } = await world.run(line.split(' '), { env: given })
    expect([line, code > 0 || line.startsWith('api')]).toEqual([line, true])
    for (const one of all) expect(stderr).not.toContain(one)
  }
  for (const folder of ['state', '.']) {
    for (const entry of readdirSync(join(world.folder, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name === 'headers') continue
      const kept = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      for (const one of all) expect(kept).not.toContain(one)
    }
  }
  const told = await world.run(['persons', 'delete', '1', '--yes', '--reason', `with ${secret}`], { env: given })
  expect([told.code, told.stderr]).toEqual([
    2,
    expect.stringContaining('--reason holds the key in use or another secret'),
  ])
  await server.close()
})

test.each([
  ['Authorization: Bearer x', 'Authorization is not for this file, because analytics or the connection sets it'],
  ['authorization: Bearer x', 'authorization is not for this file, because analytics or the connection sets it'],
  ['Host: other.example.com', 'Host is not for this file, because analytics or the connection sets it'],
  ['Content-Type: text/plain', 'Content-Type is not for this file, because analytics or the connection sets it'],
  ['Content-Length: 0', 'Content-Length is not for this file, because analytics or the connection sets it'],
  ['Accept: text/html', 'Accept is not for this file, because analytics or the connection sets it'],
  ['Accept-Encoding: br', 'Accept-Encoding is not for this file, because analytics or the connection sets it'],
  ['Connection: close', 'Connection is not for this file, because analytics or the connection sets it'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding is not for this file, because analytics or the connection sets it'],
  ['User-Agent: curl', 'User-Agent is not for this file, because analytics or the connection sets it'],
  ['Expect: 100-continue', 'Expect is not for this file, because analytics or the connection sets it'],
  ['Keep-Alive: 5', 'Keep-Alive is not for this file, because analytics or the connection sets it'],
  ['Upgrade: h2c', 'Upgrade is not for this file, because analytics or the connection sets it'],
  [
    'Proxy-Authorization: Basic x',
    'Proxy-Authorization is not for this file, because analytics or the connection sets it',
  ],
  ['X-HTTP-Method-Override: DELETE', 'X-HTTP-Method-Override would change the method of requests'],
  ['x_http_method_override: DELETE', 'x_http_method_override would change the method of requests'],
  ['X-HTTP-Method: DELETE', 'X-HTTP-Method would change the method of requests'],
  ['X-A', 'it does not begin with the name of a header and a colon'],
  ['X A: secret-value', 'it does not begin with the name of a header and a colon'],
  ['X-A : secret-value', 'it does not begin with the name of a header and a colon'],
  [' X-A: secret-value', 'it does not begin with the name of a header and a colon'],
  ['-H "X-A: secret-value"', 'it does not begin with the name of a header and a colon'],
  [': secret-value', 'it does not begin with the name of a header and a colon'],
  ['X-Ä: secret-value', 'it does not begin with the name of a header and a colon'],
  ['X-A:', 'X-A has no value'],
  ['X-A:   ', 'X-A has no value'],
  ['X-A: secret\u0000value', 'the value of X-A has characters that no header may have'],
  ['X-A: secret\tvalue', 'the value of X-A has characters that no header may have'],
  ['X-A: secret\rX-B: value', 'the value of X-A has characters that no header may have'],
  ['X-A: secret-välue', 'the value of X-A has characters that no header may have'],
  ['X-First: other', 'X-First stands twice'],
  ['x-first: other', 'x-first stands twice'],
])('%j is refused with file and line, before any request', async (line, problem) => {
  const { run, server, file, fromEnvironment: env } = await withHeaders(`X-First: 1\n${line}\n`)
  const { code, stderr } = await run('projects list', { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}, line 2: ${problem}.`)])
  expect(stderr).not.toContain('secret')
  expect(server.asked).toEqual([])
})

test.each(['', '\n\n', '# nothing yet\n', '\ufeff'])('a file with no header in it is refused: %j', async content => {
  const { run, file, fromEnvironment: env } = await withHeaders(content)
  const { code, stderr } = await run('projects list', { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining(`The headers file ${file} holds no header.`)])
})

test('a file that is not there, or is a folder, is refused, by profiles too', async () => {
  const { run, world } = await withHeaders(text)
  mkdirSync(join(world.folder, 'folder'))
  for (const name of ['nowhere', 'folder']) {
    expect((await run('projects list', { env: { ANALYTICS_HEADERS_FILE: name } })).code).toBe(2)
    const add = ['profiles', 'add', 'p', '--base-url', 'https://a.example.com', '--api-key-command', 'op read x']
    const { code, stderr } = await world.run([...add, '--headers-file', name])
    expect([code, stderr]).toEqual([2, expect.stringContaining('The headers file ')])
  }
})

test('a file that others can read is warned of, once', async () => {
  const { run, file, fromEnvironment: env } = await withHeaders(text, 0o644)
  const { code, stderr } = await run('projects list', { env })
  expect([code, stderr]).toEqual([
    0,
    `The headers file ${file} can be read by other users of this machine. Run: chmod 600 ${file}\n`,
  ])
})

test('the sandbox gets none, and says that the variable is ignored', async () => {
  const { world, fromEnvironment } = await withHeaders('Authorization: x\n')
  const { code, stderr } = await world.run(['--sandbox', 'projects', 'list'], { env: fromEnvironment })
  expect([code, stderr]).toEqual([0, expect.stringContaining('sandbox: ANALYTICS_HEADERS_FILE ignored')])
})
