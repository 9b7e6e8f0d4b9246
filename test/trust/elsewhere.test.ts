/** The key is sent only to the service that it belongs to. */
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { json, personRow, startServer } from '../server.ts'
import { startService } from '../service.ts'
import { newWorld } from '../world.ts'

const key = 'phx_0123456789-this-is-the-key'

const left: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(left.splice(0).map(leave => leave()))
})

const another = async () => {
  const other = await startServer((_, response) => json(response, { results: [personRow(666)], next: null }))
  left.push(() => other.close())
  return other
}
const one = ['persons', 'get', '1']

test.each([301, 302, 303, 307, 308])('the key does not follow a %i', async status => {
  const other = await another()
  for (const location of [
    other.url,
    other.url.replace('http:', ''),
    `${other.url.replace('127.0.0.1', 'localhost')}api/`,
  ]) {
    const { world, env } = await startService((_, response) => void response.writeHead(status, { location }).end())
    expect((await world.run(one, { env })).code).toBe(5)
    expect((await world.run(['persons', 'delete', '1', '--yes'], { env })).code).toBe(5)
    expect((await world.run(['api', 'GET', '/api/projects/'], { env })).code).toBe(5)
  }
  expect(other.asked).toEqual([])
})

test.each([
  ['another port', (url: string) => url],
  ['another host', (url: string) => url.replace('127.0.0.1', 'localhost')],
  ['another scheme', (url: string) => url.replace('http:', 'https:')],
  ['no scheme', (url: string) => url.replace('http:', '')],
  ['a user', (url: string) => url.replace('//', '//127.0.0.1:1@')],
  ['backslashes', (url: string) => url.replaceAll('/', '\\')],
])('the key does not follow a next link with %s', async (_, spelled) => {
  const other = await another()
  const next = spelled(other.url)
  const { world, env, server } = await startService(({ query }, response) =>
    json(response, { results: [personRow(1)], next: query.has('cursor') ? null : `${next}api/?cursor=2` }),
  )
  const { code } = await world.run(['persons', 'list', '--all', '-o', 'ids'], { env })
  expect([code, other.asked.length, server.asked.length]).toEqual([0, 0, 2])
  expect(new Set(server.asked.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer key-of-environment']),
  )
})

test('the key of a profile is not sent to another base URL', async () => {
  const other = await another()
  const { world, env, server } = await startService()
  const base = env.ANALYTICS_BASE_URL ?? ''
  await world.run(['profiles', 'add', 'prod', '--base-url', base, '--project', '1', '--api-key-stdin'], {
    stdin: key,
  })
  const elsewhere = [
    await world.run([...one, '--base-url', other.url]),
    await world.run(one, { env: { ANALYTICS_BASE_URL: other.url } }),
    await world.run([...one, '--base-url', base.replace('127.0.0.1', 'localhost')]),
    await world.run(['api', 'GET', `${other.url}api/projects/`]),
    await world.run(['api', 'GET', `//${new URL(other.url).host}/api/projects/`]),
  ]
  expect(elsewhere.map(({ code }) => code)).toEqual([4, 4, 4, 2, 2])
  expect([other.asked, server.asked]).toEqual([[], []])
  expect((await world.run(one)).code).toBe(0)
})

test('a proxy gets CONNECT for https, and not the key', async () => {
  const heard: string[] = []
  const proxy = createServer(socket => socket.on('data', data => heard.push(data.toString('latin1')) && socket.end()))
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  left.push(() => proxy.close())
  const { code } = await newWorld().run([...one, '--retries', '0'], {
    env: {
      ANALYTICS_BASE_URL: 'https://analytics.example.com',
      ANALYTICS_API_KEY: key,
      ANALYTICS_PROJECT: '1',
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    },
  })
  expect(code).toBe(7)
  expect(heard).toEqual([expect.stringMatching(/^CONNECT analytics.example.com:443 HTTP/)])
  expect(heard.join()).not.toContain(key)
})
